<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The client. It signs each attempt anew and sends again what may be repeated, under one idempotency key. */
final class Hub extends Caller
{
    use Operations;

    /**
     * @param string $key with its secret, or empty with a token
     * @param (callable(string, string, int, array<string, string>): void)|null $onAnswer called with the method, the path,
     *     the status and the headers, by their names in lower case, of what the hub answered to each attempt
     * @param Transport|null $transport what sends an attempt: PHP's own streams, or a Psr18Transport
     * @param string $token in place of a key: a merchant's token, which is sent as it is
     */
    public function __construct(
        string $baseUrl,
        string $key,
        string $secret,
        ?Retries $retries = null,
        int $timeoutSeconds = 10,
        ?callable $onAnswer = null,
        ?Transport $transport = null,
        string $token = ''
    ) {
        if ($token === '') {
            self::refuseMissing(['baseUrl' => $baseUrl, 'key' => $key, 'secret' => $secret]);
        }
        $signed = static fn (string $method, string $target, string $body): array =>
            Signing::headers($key, $secret, $method, $target, $body);
        $proof = $token === '' ? $signed : self::bearer($token);
        parent::__construct($baseUrl, $proof, $retries, $timeoutSeconds, $onAnswer, $transport);
    }

    /** A client with HUB_BASE_URL, and HUB_KEY and HUB_SECRET or HUB_TOKEN. */
    public static function fromEnvironment(?Retries $retries = null, ?Transport $transport = null): self
    {
        if ((string) getenv('HUB_TOKEN') !== '' && (string) getenv('HUB_KEY') === '') {
            [$baseUrl, $token] = array_values(self::environment('HUB_BASE_URL', 'HUB_TOKEN'));
            return new self($baseUrl, '', '', $retries, 10, null, $transport, $token);
        }
        [$baseUrl, $key, $secret] = array_values(self::environment('HUB_BASE_URL', 'HUB_KEY', 'HUB_SECRET'));
        return new self($baseUrl, $key, $secret, $retries, 10, null, $transport);
    }
}
