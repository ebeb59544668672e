<?php

declare(strict_types=1);

namespace AffiliateHub;

/** What the clients of the APIs for tokens have in common. */
abstract class TokenCaller extends Caller
{
    /**
     * @param (callable(string, string, int, array<string, string>): void)|null $onAnswer called with the method, the path,
     *     the status and the headers, by their names in lower case, of what the hub answered to each attempt
     * @param Transport|null $transport what sends an attempt: PHP's own streams, or a Psr18Transport
     */
    final public function __construct(
        string $baseUrl,
        string $token,
        ?Retries $retries = null,
        int $timeoutSeconds = 10,
        ?callable $onAnswer = null,
        ?Transport $transport = null
    ) {
        self::refuseMissing(['baseUrl' => $baseUrl, 'token' => $token]);
        parent::__construct($baseUrl, self::bearer($token), $retries, $timeoutSeconds, $onAnswer, $transport);
    }

    /**
     * A client with HUB_BASE_URL and HUB_TOKEN.
     *
     * @return static
     */
    public static function fromEnvironment(?Retries $retries = null, ?Transport $transport = null): self
    {
        [$baseUrl, $token] = array_values(self::environment('HUB_BASE_URL', 'HUB_TOKEN'));
        return new static($baseUrl, $token, $retries, 10, null, $transport);
    }
}
