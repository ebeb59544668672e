<?php

declare(strict_types=1);

namespace AffiliateHub;

/** The signature of a request: HMAC-SHA256 over the timestamp, the nonce and what is asked, the body's bytes included. */
final class Signing
{
    public static function signature(string $secret, string $timestamp, string $nonce, string $body): string
    {
        return hash_hmac('sha256', "$timestamp.$nonce.$body", $secret);
    }

    /** Version 2 also covers the method and the target: the path with its query as they are sent. */
    public static function signatureV2(
        string $secret,
        string $timestamp,
        string $nonce,
        string $method,
        string $target,
        string $body
    ): string {
        return hash_hmac('sha256', "v2.$timestamp.$nonce.$method.$target." . hash('sha256', $body), $secret);
    }

    /** @return array<string, string> the headers of one attempt: the time and the nonce are new for each */
    public static function headers(string $key, string $secret, string $method, string $target, string $body): array
    {
        $timestamp = (string) time();
        $nonce = bin2hex(random_bytes(16));
        return [
            'X-API-Key' => $key,
            'X-Timestamp' => $timestamp,
            'X-Nonce' => $nonce,
            'X-Signature-Version' => '2',
            'X-Signature' => self::signatureV2($secret, $timestamp, $nonce, $method, $target, $body),
        ];
    }
}
