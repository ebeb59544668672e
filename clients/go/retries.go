package affiliatehub

import (
	"context"
	"math/rand"
	"strconv"
	"time"
)

// Retries say how often a request is sent at most, and the pauses between: they double, up to the longest.
//
// A pause that the hub asks for is heeded up to the longest; with a longer one the call ends with the hub's answer,
// whose RetryAfter says how long. Deadline bounds all attempts and pauses together; 0 is none.
type Retries struct {
	Attempts                           int
	FirstPause, LongestPause, Deadline time.Duration
}

// DefaultRetries are those of a client that is told nothing else.
var DefaultRetries = Retries{Attempts: 6, FirstPause: 500 * time.Millisecond, LongestPause: 30 * time.Second}

// pause returns the pause after so many failed attempts; false if what is asked for is too long.
func (r Retries) pause(failed int, asked, elapsed time.Duration) (time.Duration, bool) {
	grown := r.FirstPause << (failed - 1)
	if grown > r.LongestPause || grown < r.FirstPause {
		grown = r.LongestPause
	}
	pause := time.Duration(float64(grown) * (0.8 + 0.4*rand.Float64()))
	if asked > pause {
		pause = asked
	}
	tooLate := r.Deadline > 0 && elapsed+pause > r.Deadline
	return pause, asked <= r.LongestPause && !tooLate
}

// asked returns the pause of a Retry-After, 0 without one.
func asked(retryAfter string) time.Duration {
	seconds, err := strconv.ParseUint(retryAfter, 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// maySendAgain returns whether an attempt may be followed by another; the status is 0 if there was no answer.
//
// After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
func maySendAgain(status int, mayRepeat bool) bool {
	return status == 429 || (mayRepeat && (status == 0 || status == 409 || status >= 500))
}

// sleep waits; it ends at once when the caller gives up.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
