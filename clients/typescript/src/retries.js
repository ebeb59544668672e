// When to send a request again, and how long to wait before; pauses are in milliseconds.

export const DEFAULT_RETRIES = { attempts: 6, firstPause: 500, longestPause: 30_000 };

// At least what the hub asks for; undefined if that is longer than the longest pause, or than what is left of the deadline:
// then the call ends with the hub's answer, which says how long to wait.
export function pauseAfter(failed, retryAfter, { firstPause, longestPause, deadline }, elapsed = 0) {
  const grown = Math.min(longestPause, firstPause * 2 ** (failed - 1)) * (0.8 + 0.4 * Math.random());
  const asked = msAsked(retryAfter);
  const pause = Math.max(grown, asked);
  return asked > longestPause || elapsed + pause > (deadline ?? Infinity) ? undefined : pause;
}

export const msAsked = (retryAfter) => (/^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : 0);

// A pause that ends at once, with the signal's reason, when the caller gives up.
export function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

// After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
export function maySendAgain(status, mayRepeat) {
  if (status === 429) return true;
  return mayRepeat && (status === undefined || status === 409 || status >= 500);
}
