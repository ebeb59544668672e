// When to send a request again, and how long to wait before; pauses are in milliseconds.

export const DEFAULT_RETRIES = { attempts: 6, firstPause: 500, longestPause: 30_000 };

export function pauseAfter(failed, retryAfter, { firstPause, longestPause }) {
  const grown = Math.min(longestPause, firstPause * 2 ** (failed - 1)) * (0.8 + 0.4 * Math.random());
  const asked = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : 0;
  return Math.max(grown, asked);
}

// After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
export function maySendAgain(status, mayRepeat) {
  if (status === 429) return true;
  return mayRepeat && (status === undefined || status === 409 || status >= 500);
}
