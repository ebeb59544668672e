// The client of the affiliate hub's merchant API: fetch and WebCrypto alone, so it runs in Node, Deno, Bun and at the edge.

import { HubError, MissingSetting, NoAnswer, RateLimited, errorOf } from "./errors.js";
import { OPERATIONS } from "./operations.js";
import { DEFAULT_RETRIES, maySendAgain, msAsked, pauseAfter, sleep } from "./retries.js";
import { signature, signatureV2, signedHeaders } from "./signing.js";
import { WebhookFault, verifyWebhook } from "./webhooks.js";

export { HubError, MissingSetting, NoAnswer, RateLimited, WebhookFault, signature, signatureV2, verifyWebhook };

const TIMEOUT_MS = 10_000;
const USER_AGENT = "affiliate-hub-typescript/0.1.0";

export class Hub {
  #baseUrl;
  #key;
  #secret;
  #retries;
  #fetch;
  #timeout;

  constructor({ baseUrl, key, secret, retries = {}, fetch = globalThis.fetch, timeout = TIMEOUT_MS }) {
    refuseMissing({ baseUrl, key, secret });
    this.#timeout = timeout;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#key = key;
    this.#secret = secret;
    this.#retries = { ...DEFAULT_RETRIES, ...retries };
    this.#fetch = fetch.bind(globalThis);
  }

  static fromEnvironment(options = {}) {
    const { HUB_BASE_URL, HUB_KEY, HUB_SECRET } = globalThis.process.env;
    refuseMissing({ HUB_BASE_URL, HUB_KEY, HUB_SECRET });
    return new Hub({ baseUrl: HUB_BASE_URL, key: HUB_KEY, secret: HUB_SECRET, ...options });
  }

  async send({ method, path, query = {}, body, headers = {}, mayRepeat = false, signal }) {
    const raw = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/csv" : "application/json";
    const url = new URL(this.#baseUrl + path + asked(query));
    const target = url.pathname + url.search; // as it is sent
    const began = performance.now();
    for (let failed = 1; ; failed += 1) {
      const signed = await signedHeaders(this.#key, this.#secret, method, target, raw); // anew for each attempt
      const outcome = await this.#attempt(url, {
        method,
        headers: { "User-Agent": USER_AGENT, "Content-Type": type, ...headers, ...signed },
        body: raw === "" ? undefined : raw,
        signal: AbortSignal.any([AbortSignal.timeout(this.#timeout), ...(signal ? [signal] : [])]),
      });
      if (outcome.status < 400) return outcome.answer;
      signal?.throwIfAborted();
      const again = maySendAgain(outcome.status, mayRepeat) && failed < this.#retries.attempts;
      const pause = again ? pauseAfter(failed, outcome.retryAfter, this.#retries, performance.now() - began) : undefined;
      if (pause === undefined) {
        if (outcome.fault) throw new NoAnswer(`${method} ${path} was not answered`, { cause: outcome.fault });
        throw errorOf(outcome.status, outcome.answer, msAsked(outcome.retryAfter));
      }
      await sleep(pause, signal);
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

function refuseMissing(settings) {
  const missing = Object.keys(settings).filter((name) => !settings[name]);
  if (missing.length > 0) throw new MissingSetting(missing);
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
