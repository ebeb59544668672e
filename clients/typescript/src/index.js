// The client of the affiliate hub's merchant API: fetch and WebCrypto alone, so it runs in Node, Deno, Bun and at the edge.

import { HubError, NoAnswer, errorOf } from "./errors.js";
import { OPERATIONS } from "./operations.js";
import { DEFAULT_RETRIES, maySendAgain, pauseAfter } from "./retries.js";
import { signature, signedHeaders } from "./signing.js";
import { WebhookFault, verifyWebhook } from "./webhooks.js";

export { HubError, NoAnswer, WebhookFault, signature, verifyWebhook };

const TIMEOUT_MS = 10_000;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Hub {
  #baseUrl;
  #key;
  #secret;
  #retries;
  #fetch;

  constructor({ baseUrl, key, secret, retries = {}, fetch = globalThis.fetch }) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#key = key;
    this.#secret = secret;
    this.#retries = { ...DEFAULT_RETRIES, ...retries };
    this.#fetch = fetch.bind(globalThis);
  }

  static fromEnvironment(options = {}) {
    const { HUB_BASE_URL, HUB_KEY, HUB_SECRET } = globalThis.process.env;
    return new Hub({ baseUrl: HUB_BASE_URL, key: HUB_KEY, secret: HUB_SECRET, ...options });
  }

  async send({ method, path, query = {}, body, headers = {}, mayRepeat = false, signal }) {
    const raw = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/csv" : "application/json";
    const url = this.#baseUrl + path + asked(query);
    for (let failed = 1; ; failed += 1) {
      const signed = await signedHeaders(this.#key, this.#secret, raw); // anew for each attempt
      const outcome = await this.#attempt(url, {
        method,
        headers: { "Content-Type": type, ...headers, ...signed },
        body: raw === "" ? undefined : raw,
        signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
      });
      if (outcome.status < 400) return outcome.answer;
      signal?.throwIfAborted();
      const again = maySendAgain(outcome.status, mayRepeat) && failed < this.#retries.attempts;
      if (!again && outcome.fault) throw new NoAnswer(`${method} ${path} was not answered`, { cause: outcome.fault });
      if (!again) throw errorOf(outcome.status, outcome.answer);
      await sleep(pauseAfter(failed, outcome.retryAfter, this.#retries));
    }
  }

  async #attempt(url, request) {
    try {
      const response = await this.#fetch(url, request);
      const text = await response.text();
      const isJson = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
      return {
        status: response.status,
        answer: isJson ? JSON.parse(text) : text,
        retryAfter: response.headers.get("Retry-After"),
      };
    } catch (fault) {
      return { status: undefined, fault };
    }
  }
}

function asked(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

// The methods are made from the table of operations; types.d.ts declares them.
for (const [name, operation] of Object.entries(OPERATIONS)) {
  Hub.prototype[name] = function call(...given) {
    return this.send(callOf(operation, given));
  };
  if (operation.paging !== "") {
    const names = (operation.path.match(/\{\w+\}/g) ?? []).length;
    Hub.prototype[name.replace("list", "iterate")] = async function* iterate(...given) {
      const [query = {}, options = {}] = given.slice(names);
      let place = operation.paging === "page" ? 1 : undefined;
      do {
        const page = await this[name](...given.slice(0, names), { ...query, [operation.paging]: place }, options);
        yield* page.data;
        place = nextPage(page, operation.paging);
      } while (place !== null);
    };
  }
}

function callOf(operation, given) {
  const rest = [...given];
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift()));
  const body = operation.body ? rest.shift() : undefined;
  const headers = {};
  if (operation.eventId) headers["X-External-Event-Id"] = rest.shift();
  const query = operation.query.length > 0 ? rest.shift() : undefined;
  const { idempotencyKey, signal } = rest.shift() ?? {};
  if (operation.idempotent) {
    const key = idempotencyKey ?? (operation.eventId ? undefined : crypto.randomUUID());
    if (key !== undefined) headers["X-Idempotency-Key"] = key;
  }
  return { method: operation.method, path, query, body, headers, mayRepeat: operation.mayRepeat, signal };
}

function nextPage(page, paging) {
  if (paging === "cursor") return page.nextCursor;
  return page.page * page.pageSize < page.total ? page.page + 1 : null;
}
