import type { CallOptions, ChangeList, Operations, WebhookMessage } from "./types.js";

export * from "./types.js";

/** How often a request is sent at most, and the pauses between in milliseconds: they double, up to the longest. */
export interface Retries {
  attempts: number;
  firstPause: number;
  /** A longer pause that the hub asks for is not slept: the call ends with its answer, whose `retryAfter` says how long. */
  longestPause: number;
  /** The longest time for all attempts and pauses together, in milliseconds; none without one. */
  deadline?: number;
}

/** How every client sends. */
export interface SendOptions {
  /** The hub's address with /api at its end. */
  baseUrl: string;
  retries?: Partial<Retries>;
  fetch?: typeof fetch;
  /** The longest time for one attempt in milliseconds, also beside a signal of the caller's: 10,000. */
  timeout?: number;
  /** Called with what the hub answered to each attempt, its headers included: `ETag`, `RateLimit`, `X-Request-ID`. */
  onAnswer?: (answered: { method: string; path: string; status: number; headers: Headers }) => void;
}

/** Who asks, by a token. */
export interface TokenOptions extends SendOptions {
  token: string;
}

/** Who asks: by a key, whose secret signs and is never sent, or by a token. */
export type HubOptions = (SendOptions & { key: string; secret: string; token?: undefined }) | (TokenOptions & { key?: undefined; secret?: undefined });

/** What every client has beside its operations. */
export interface Follows<Part> {
  /**
   * What changed, part by part, from a cursor on; without one, from everything that there is. Keep a part's `cursor` once
   * its `data` is dealt with, and go on from that the next time. While nothing changes, each part comes after `wait`
   * seconds (20) and is empty; with `wait: 0` the last part is the end.
   */
  followChanges(
    query?: { after?: string; types?: string; wait?: number; limit?: number },
    options?: CallOptions,
  ): AsyncGenerator<Part>;
}

/** The client. It signs each attempt anew and sends again what may be repeated, under one idempotency key. */
export interface Hub extends Operations, Follows<ChangeList> {}
export class Hub {
  constructor(options: HubOptions);
  /** A client with HUB_BASE_URL, and HUB_KEY and HUB_SECRET or HUB_TOKEN. */
  static fromEnvironment(options?: Partial<HubOptions>): Hub;
}

/** The hub refused a request; `code` says why, and is empty for a 401. */
export class HubError extends Error {
  readonly status: number;
  readonly code: string;
  readonly messages: string[];
  readonly param?: string;
  readonly docUrl?: string;
  readonly requestId?: string;
  /** How many milliseconds the hub asks to wait, 0 if it does not. */
  readonly retryAfter: number;
}

/** Too many requests; `retryAfter` says in how many milliseconds there is room again. */
export class RateLimited extends HubError {}

/** The client was not told where the hub is, or with which key to sign. */
export class MissingSetting extends Error {}

/** No attempt was answered; whether the last was taken is not known. */
export class NoAnswer extends Error {}

/** The message is not the hub's, or too old: answer with 400, and do nothing. */
export class WebhookFault extends Error {}

/** Returns the message if it was signed with the secret (`whsec_...`) in the last minutes: its `type` tells what `data` holds. */
export function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  options?: { now?: number },
): Promise<WebhookMessage>;

/** The signature of version 2, which the client sends; `target` is the path with its query as they are sent. */
export function signatureV2(
  secret: string,
  timestamp: string,
  nonce: string,
  method: string,
  target: string,
  body: string,
): Promise<string>;

/** The signature of version 1 as 64 lowercase hex digits. */
export function signature(secret: string, timestamp: string, nonce: string, body: string): Promise<string>;
