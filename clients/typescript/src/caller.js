// How calls are sent, by whichever client: the attempts, the pauses between them, and the change feed.

import { NoAnswer, errorOf } from "./errors.js";
import { DEFAULT_RETRIES, maySendAgain, msAsked, pauseAfter, sleep } from "./retries.js";

const TIMEOUT_MS = 10_000;
const LONGEST_WAIT = 20; // seconds for which the hub holds a request for changes open
const USER_AGENT = "affiliate-hub-typescript/0.1.0";

/** What sends calls: the clients are this with the operations of their API. */
export class Caller {
  #baseUrl;
  #proof;
  #retries;
  #fetch;
  #timeout;
  #onAnswer;

  // `proof` returns the headers that say whose an attempt is.
  constructor({ baseUrl, retries = {}, fetch = globalThis.fetch, timeout = TIMEOUT_MS, onAnswer }, proof) {
    this.#timeout = timeout;
    this.#onAnswer = onAnswer;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#proof = proof;
    this.#retries = { ...DEFAULT_RETRIES, ...retries };
    this.#fetch = fetch.bind(globalThis);
  }

  async send({ method, path, query = {}, body, headers = {}, mayRepeat = false, signal, deadline }) {
    const raw = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/csv" : "application/json";
    const url = new URL(this.#baseUrl + path + asked(query));
    const target = url.pathname + url.search; // as it is sent
    const began = performance.now();
    const retries = { ...this.#retries, deadline: Math.min(deadline ?? Infinity, this.#retries.deadline ?? Infinity) };
    const held = 1000 * (Number(query.wait) || 0); // the hub holds the request open for so long
    for (let failed = 1; ; failed += 1) {
      const proof = await this.#proof(method, target, raw); // anew for each attempt
      const outcome = await this.#attempt(url, {
        method,
        headers: { "User-Agent": USER_AGENT, "Content-Type": type, ...headers, ...proof },
        body: raw === "" ? undefined : raw,
        signal: AbortSignal.any([AbortSignal.timeout(timeLeft(this.#timeout + held, retries, began)), ...(signal ? [signal] : [])]),
      });
      if (outcome.headers) this.#onAnswer?.({ method, path, status: outcome.status, headers: outcome.headers });
      if (outcome.status < 400) return outcome.answer;
      signal?.throwIfAborted();
      const again = maySendAgain(outcome.status, mayRepeat) && failed < retries.attempts;
      const pause = again ? pauseAfter(failed, outcome.retryAfter, retries, performance.now() - began) : undefined;
      if (pause === undefined) {
        if (outcome.fault) throw new NoAnswer(`${method} ${path} was not answered`, { cause: outcome.fault });
        throw errorOf(outcome.status, outcome.answer, msAsked(outcome.retryAfter));
      }
      await sleep(pause, signal);
    }
  }

  async *followChanges({ after, types, wait = LONGEST_WAIT, limit = 200 } = {}, options = {}) {
    for (;;) {
      const part = await this.listChanges({ after, types, wait, limit }, options);
      after = part.cursor;
      yield part;
      if (!wait && !part.more) return;
    }
  }

  async #attempt(url, request) {
    try {
      const response = await this.#fetch(url, request);
      const text = await response.text();
      const isJson = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
      return {
        status: response.status,
        headers: response.headers,
        answer: isJson ? JSON.parse(text) : text,
        retryAfter: response.headers.get("Retry-After"),
      };
    } catch (fault) {
      return { status: undefined, fault };
    }
  }
}

const timeLeft = (timeout, { deadline }, began) => Math.ceil(Math.max(0, Math.min(timeout, began + deadline - performance.now())));

function asked(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Give a client the methods of a table of operations; the declarations beside the table name them. */
export function attach(client, operations) {
  for (const [name, operation] of Object.entries(operations)) {
    client.prototype[name] = function call(...given) {
      return this.send(callOf(operation, given));
    };
    if (operation.paging !== "") {
      const names = (operation.path.match(/\{\w+\}/g) ?? []).length;
      client.prototype[name.replace("list", "iterate")] = async function* iterate(...given) {
        const [query = {}, options = {}] = given.slice(names);
        let place = operation.paging === "page" ? 1 : undefined;
        do {
          const page = await this[name](...given.slice(0, names), { ...operation.most, ...query, [operation.paging]: place }, options);
          yield* page.data;
          place = nextPage(page, operation.paging);
        } while (place !== null);
      };
    }
  }
}

function callOf(operation, given) {
  const rest = [...given];
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift()));
  const body = operation.body ? rest.shift() : undefined;
  const headers = {};
  if (operation.eventId) headers["X-External-Event-Id"] = rest.shift();
  const query = operation.query.length > 0 ? rest.shift() : undefined;
  const { idempotencyKey, signal, deadline } = rest.shift() ?? {};
  if (operation.idempotent) {
    const key = idempotencyKey ?? (operation.eventId ? undefined : crypto.randomUUID());
    if (key !== undefined) headers["X-Idempotency-Key"] = key;
  }
  return { method: operation.method, path, query, body, headers, mayRepeat: operation.mayRepeat, signal, deadline };
}

function nextPage(page, paging) {
  if (paging === "cursor") return page.nextCursor;
  return page.page * page.pageSize < page.total ? page.page + 1 : null;
}
