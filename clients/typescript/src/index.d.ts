import type { Operations } from "./types.js";

export * from "./types.js";

/** How often a request is sent at most, and the pauses between in milliseconds: they double, up to the longest. */
export interface Retries {
  attempts: number;
  firstPause: number;
  longestPause: number;
}

export interface HubOptions {
  /** The hub's address with /api at its end. */
  baseUrl: string;
  key: string;
  secret: string;
  retries?: Partial<Retries>;
  fetch?: typeof fetch;
}

/** The client. It signs each attempt anew and sends again what may be repeated, under one idempotency key. */
export interface Hub extends Operations {}
export class Hub {
  constructor(options: HubOptions);
  /** A client with HUB_BASE_URL, HUB_KEY and HUB_SECRET. */
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
}

/** No attempt was answered; whether the last was taken is not known. */
export class NoAnswer extends Error {}

/** The message is not the hub's, or too old: answer with 400, and do nothing. */
export class WebhookFault extends Error {}

/** Returns the message if it was signed with the secret (`whsec_...`) in the last minutes; `body` is the text that arrived. */
export function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string>,
  body: string,
  options?: { now?: number },
): Promise<{ type: string; timestamp: string; data: { [name: string]: unknown } }>;

/** The signature as 64 lowercase hex digits. */
export function signature(secret: string, timestamp: string, nonce: string, body: string): Promise<string>;
