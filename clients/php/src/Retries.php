<?php

declare(strict_types=1);

namespace AffiliateHub;

/** How often a request is sent at most, and the pauses between, in seconds: they double, up to the longest. */
final class Retries
{
    public int $attempts;
    public float $firstPause;
    public float $longestPause;

    public function __construct(int $attempts = 6, float $firstPause = 0.5, float $longestPause = 30.0)
    {
        $this->attempts = $attempts;
        $this->firstPause = $firstPause;
        $this->longestPause = $longestPause;
    }

    public function pause(int $failed, string $retryAfter): float
    {
        $spread = random_int(80, 120) / 100;
        $grown = min($this->longestPause, $this->firstPause * 2 ** ($failed - 1)) * $spread;
        return max($grown, ctype_digit($retryAfter) ? (float) $retryAfter : 0.0);
    }

    /**
     * Whether an attempt may be followed by another; the status is 0 if there was no answer.
     *
     * After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
     */
    public static function maySendAgain(int $status, bool $mayRepeat): bool
    {
        return $status === 429 || ($mayRepeat && ($status === 0 || $status === 409 || $status >= 500));
    }
}
