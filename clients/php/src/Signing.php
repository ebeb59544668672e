<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The signature of a request: HMAC-SHA256 over the timestamp, the nonce and the exact bytes of the body. */
final class Signing
{
    public static function signature(string $secret, string $timestamp, string $nonce, string $body): string
    {
        return hash_hmac('sha256', "$timestamp.$nonce.$body", $secret);
    }

    /** @return array<string, string> the headers of one attempt: the time and the nonce are new for each */
    public static function headers(string $key, string $secret, string $body): array
    {
        $timestamp = (string) time();
        $nonce = bin2hex(random_bytes(16));
        return [
            'X-API-Key' => $key,
            'X-Timestamp' => $timestamp,
            'X-Nonce' => $nonce,
            'X-Signature' => self::signature($secret, $timestamp, $nonce, $body),
        ];
    }
}
