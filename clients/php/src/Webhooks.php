<?php

declare(strict_types=1);

namespace AffiliateHub;

/**
 * Messages of the hub to a shop or an affiliate, verified by the Standard Webhooks specification.
 *
 * @phpstan-import-type WebhookMessage from Operations
 */
final class Webhooks
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * Return the message if it was signed with the secret (`whsec_...`) in the last minutes.
     *
     * @param array<string, string> $headers of the request, as getallheaders() returns them
     * @param string $body the bytes that arrived: file_get_contents('php://input')
     * @return WebhookMessage its `type` tells what its `data` holds
     */
    public static function verify(string $secret, array $headers, string $body, ?int $now = null): array
    {
        $lower = array_change_key_case($headers, CASE_LOWER);
        $id = $lower['webhook-id'] ?? '';
        $timestamp = $lower['webhook-timestamp'] ?? '';
        $signatures = $lower['webhook-signature'] ?? '';
        $key = base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
        if ($id === '' || $signatures === '' || $key === false || !preg_match('/^\d{1,12}$/D', $timestamp)) {
            throw new WebhookFault('a header of the signature is missing or malformed');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw new WebhookFault('the message is too old');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', $signatures) as $each) {
            if (hash_equals($expected, $each)) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
        throw new WebhookFault('the signature is another one');
    }
}
