<?php

declare(strict_types=1);

namespace AffiliateHub;

/** Sends one attempt of a call, as it was signed: it may neither change the address or the body nor send it twice. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @return array{int, string, array<string, string>} the status, the body, and the headers by names in lower case
     * @throws TransportFault if there is no whole answer
     */
    public function send(string $method, string $url, array $headers, string $body, int $timeoutSeconds): array;
}
