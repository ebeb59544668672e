<?php

declare(strict_types=1);

namespace AffiliateHub;

/**
 * How often a request is sent at most, and the pauses between, in seconds: they double, up to the longest.
 *
 * A pause that the hub asks for is heeded up to the longest; with a longer one the call ends with the hub's answer, whose
 * `retryAfter` says how long. `deadline` bounds all attempts and pauses together.
 */
final class Retries
{
    public int $attempts;
    public float $firstPause;
    public float $longestPause;
    public ?float $deadline;

    public function __construct(
        int $attempts = 6,
        float $firstPause = 0.5,
        float $longestPause = 30.0,
        ?float $deadline = null
    ) {
        $this->deadline = $deadline;
        $this->attempts = $attempts;
        $this->firstPause = $firstPause;
        $this->longestPause = $longestPause;
    }

    /** The pause after so many failed attempts; null if what the hub asks for is too long. */
    public function pause(int $failed, float $asked, float $elapsed = 0.0): ?float
    {
        $spread = random_int(80, 120) / 100;
        $grown = min($this->longestPause, $this->firstPause * 2 ** ($failed - 1)) * $spread;
        $pause = max($grown, $asked);
        $tooLate = $this->deadline !== null && $elapsed + $pause > $this->deadline;
        return $asked > $this->longestPause || $tooLate ? null : $pause;
    }

    /** The seconds of a `Retry-After`, 0 without one. */
    public static function secondsAsked(string $retryAfter): float
    {
        return ctype_digit($retryAfter) ? (float) $retryAfter : 0.0;
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
