// The client against a real hub (HUB_BASE_URL, HUB_KEY, HUB_SECRET) and a proxy that fails (FAULTY_BASE_URL).

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  Hub, HubError, MissingSetting, NoAnswer, RateLimited, WebhookFault, signature, signatureV2, verifyWebhook,
} from "../src/index.js";
import { AffiliatesHub } from "../src/affiliates/index.js";
import { OperatorsHub } from "../src/operators/index.js";
import { maySendAgain, pauseAfter, sleep } from "../src/retries.js";

const { FAULTY_BASE_URL, FAULTY_ROOT, HUB_KEY, HUB_SECRET } = process.env;
const vectors = JSON.parse(readFileSync(new URL("../../vectors.json", import.meta.url), "utf-8"));
const hub = Hub.fromEnvironment();
const faulty = new Hub({ baseUrl: FAULTY_BASE_URL, key: HUB_KEY, secret: HUB_SECRET, retries: { attempts: 4, firstPause: 10 } });
const order = () => ({ externalOrderId: `ts-${randomUUID()}`, orderAmount: "49.90" });
const attempts = async (key) => (await fetch(`${FAULTY_ROOT}/attempts/${key}`)).json();

async function all(iterator) {
  const found = [];
  for await (const each of iterator) found.push(each);
  return found;
}

test("signatures are those of the shared vectors", async () => {
  for (const { secret, timestamp, nonce, method, target, body, signature: first, signatureV2: second } of vectors.requests) {
    assert.equal(await signature(secret, timestamp, nonce, body), first);
    assert.equal(await signatureV2(secret, timestamp, nonce, method, target, body), second);
  }
});

test("a webhook is returned only if it is the hub's", async () => {
  const [{ secret, id, timestamp, body, signature: signed }] = vectors.webhooks;
  const headers = { "Webhook-Id": id, "Webhook-Timestamp": timestamp, "Webhook-Signature": `v1,AAAA ${signed}` };
  const now = Number(timestamp);
  assert.equal((await verifyWebhook(secret, headers, body, { now })).type, "commission.payable");
  const ofNode = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": [signed], cookie: undefined };
  assert.equal((await verifyWebhook(secret, ofNode, body, { now })).type, "commission.payable");
  assert.equal((await verifyWebhook(secret, new Headers(headers), body, { now })).type, "commission.payable");
  const wrong = [
    [secret, headers, `${body} `, { now }],
    [secret, headers, body, { now: now + 301 }],
    ["whsec_QUFBQQ==", headers, body, { now }],
    [secret, { ...headers, "Webhook-Id": "msg_other" }, body, { now }],
    [secret, { "Webhook-Id": id }, body, { now }],
    [secret, { ...headers, "Webhook-Timestamp": "soon" }, body, { now }],
  ];
  for (const each of wrong) await assert.rejects(verifyWebhook(...each), WebhookFault);
});

test("changes are followed to their end, and from a cursor that was kept", async () => {
  const product = () => ({ externalProductId: `feed-${randomUUID()}`, name: "y", productUrl: "https://shop.example/p", price: "1.00" });
  await hub.importProducts({ products: [product()] });
  const { cursor, more } = (await all(hub.followChanges({ types: "product", wait: 0, limit: 1 }))).at(-1);
  assert.equal(more, false);
  await hub.importProducts({ products: [product()] });
  const { value } = await hub.followChanges({ after: cursor, types: "product", wait: 5 }).next();
  assert.equal(value.data.length, 1, "what was before the cursor is not told again");
  assert.deepEqual((await all(hub.followChanges({ after: value.cursor, types: "product", wait: 0 }))).map((part) => part.data), [[]]);
});

test("a request that is held open outlives the usual time limit", async () => {
  const impatient = Hub.fromEnvironment({ timeout: 500, retries: { attempts: 1 } });
  const { cursor } = (await all(impatient.followChanges({ wait: 0 }))).at(-1);
  const began = performance.now();
  const { value } = await impatient.followChanges({ after: cursor, types: "campaign", wait: 1 }).next();
  assert.deepEqual(value.data, []);
  assert.ok(performance.now() - began >= 900);
});

test("a call's deadline holds within an attempt, also when a signal is given", async () => {
  const stuck = (url, { signal }) =>
    new Promise((_, refuse) => {
      const open = setInterval(() => {}, 1000); // as a connection keeps the process
      signal.addEventListener("abort", () => (clearInterval(open), refuse(signal.reason)));
    });
  const slow = Hub.fromEnvironment({ fetch: stuck });
  const began = performance.now();
  await assert.rejects(slow.listBalances({ deadline: 100, signal: new AbortController().signal }), NoAnswer);
  await assert.rejects(slow.listBalances({ deadline: 100 }), NoAnswer);
  assert.ok(performance.now() - began < 3000, "the time limit of an attempt, ten seconds, is the control");
});

test("headers can be read, and iterators ask for as many as there may be", async () => {
  const answered = [];
  const asked = [];
  const watched = Hub.fromEnvironment({
    onAnswer: (each) => answered.push(each),
    fetch: (url, request) => (asked.push(new URL(url).search), fetch(url, request)),
  });
  await watched.listBalances();
  assert.deepEqual([answered[0].method, answered[0].path, answered[0].status], ["GET", "/v1/balances", 200]);
  assert.match(answered[0].headers.get("ETag"), /^"/);
  await all(watched.iterateLinks());
  await all(watched.iterateLinks({ limit: 3 }));
  assert.deepEqual(asked.slice(1), ["?limit=200", "?limit=3"]);
});

test("an order is reported and looked up", async () => {
  const body = order();
  const accepted = await hub.reportConversion(body);
  assert.equal(accepted.status, "RECEIVED");
  assert.equal((await hub.reportConversion(body)).status, "DUPLICATE");
  assert.equal((await hub.getEvent(accepted.eventId)).type, "conversion");
});

test("equal bodies in one second are many requests", async () => {
  const body = order();
  const answers = await Promise.all(Array.from({ length: 5 }, () => hub.reportConversion(body)));
  assert.equal(answers.filter((each) => each.status === "RECEIVED").length, 1);
});

test("webhooks count once by their event id", async () => {
  const body = { external_order_id: `ts-${randomUUID()}` };
  const eventId = randomUUID();
  assert.equal((await hub.sendOrderPaid(body, eventId)).status, "QUEUED");
  assert.equal((await hub.sendOrderPaid(body, eventId)).status, "DUPLICATE");
});

test("lists are paged to their end", async () => {
  const products = Array.from({ length: 5 }, (_, n) => ({
    externalProductId: `TS-${n}`, name: "x", productUrl: "https://shop.example/p", price: "1.00",
  }));
  assert.equal((await hub.importProducts({ products })).created, 5);
  const found = await all(hub.iterateProducts({ pageSize: 2, search: "TS-" }));
  assert.deepEqual(found.map((each) => each.externalProductId).sort(), products.map((each) => each.externalProductId));
  const reported = await Promise.all([order(), order(), order()].map((body) => hub.reportConversion(body)));
  const listed = new Set((await all(hub.iterateEvents({ limit: 2 }))).map((each) => each.eventId));
  for (const { eventId } of reported) assert.ok(listed.has(eventId));
});

test("a list within an object is paged too", async () => {
  const made = await hub.createSubscription({ url: "https://shop.example/hook", events: ["commission.*"] });
  assert.deepEqual(await all(hub.iterateDeliveries(made.id, { limit: 1 })), []);
});

test("files are sent as they are", async () => {
  const upload = await hub.uploadOrders(`externalOrderId,orderAmount\nts-${randomUUID()},1.00\n`);
  assert.equal((await hub.getUpload(upload.uploadId)).kind, "orders");
});

test("refusals are errors with codes", async () => {
  await assert.rejects(hub.reportConversion({ orderAmount: "ten" }), (fault) => {
    assert.ok(fault instanceof HubError);
    assert.deepEqual([fault.status, fault.code, fault.param], [400, "validation_failed", "externalOrderId"]);
    assert.equal(fault.messages.length, 2);
    assert.match(fault.docUrl, /\/docs\/errors#validation_failed$/);
    return true;
  });
  await assert.rejects(hub.getEvent("evt_none/../x"), { status: 404, code: "not_found" });
  const stranger = new Hub({ baseUrl: process.env.HUB_BASE_URL, key: HUB_KEY, secret: "sec_wrong" });
  await assert.rejects(stranger.listProducts(), { status: 401, code: "" });
  const idempotencyKey = randomUUID();
  await hub.reportConversion(order(), { idempotencyKey });
  await assert.rejects(hub.reportConversion(order(), { idempotencyKey }), { code: "idempotency_mismatch" });
});

test("after a lost answer, 503 and 429 the same is said again", async () => {
  for (const [kind, expected] of [["lost", 2], ["busy", 3], ["limited", 2]]) {
    const idempotencyKey = `${kind}-${randomUUID()}`;
    assert.equal((await faulty.reportConversion(order(), { idempotencyKey })).status, "RECEIVED");
    assert.equal(await attempts(idempotencyKey), expected);
  }
});

test("an end comes", async () => {
  const idempotencyKey = `down-${randomUUID()}`;
  await assert.rejects(faulty.reportConversion(order(), { idempotencyKey }), { code: "store_unavailable" });
  assert.equal(await attempts(idempotencyKey), 4);
});

test("what would be done twice is not repeated", async () => {
  await assert.rejects(faulty.createLink({ affiliateId: "aff_cut" }), NoAnswer);
  assert.equal(await attempts("cut"), 1);
  assert.ok(maySendAgain(429, false) && !maySendAgain(503, false) && !maySendAgain(401, true));
});

test("pauses grow to a bound and heed what is asked", () => {
  const retries = { firstPause: 1000, longestPause: 8000 };
  for (const [failed, least] of [[1, 1000], [2, 2000], [3, 4000], [4, 8000], [9, 8000]]) {
    const pause = pauseAfter(failed, null, retries);
    assert.ok(pause >= 0.8 * least && pause <= 1.2 * least);
  }
  assert.equal(pauseAfter(1, "7", retries), 7_000);
  assert.equal(pauseAfter(1, "3600", retries), undefined);
  assert.equal(pauseAfter(1, null, { ...retries, deadline: 5_000 }, 4_900), undefined);
});

test("a limit that is long ends the call with its pause", async () => {
  const idempotencyKey = `patience-${randomUUID()}`;
  await assert.rejects(faulty.reportConversion(order(), { idempotencyKey }), (fault) => {
    assert.ok(fault instanceof RateLimited && fault instanceof HubError);
    assert.equal(fault.retryAfter, 3_600_000);
    return true;
  });
  assert.equal(await attempts(idempotencyKey), 1);
});

test("a pause ends when the caller gives up", async () => {
  const controller = new AbortController();
  const pausing = sleep(3_600_000, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(pausing, /enough/);
  await assert.rejects(sleep(3_600_000, controller.signal), /enough/);
});

test("a merchant's token takes the place of a key, within its scopes", async () => {
  const bearer = new Hub({ baseUrl: process.env.HUB_BASE_URL, token: process.env.MERCHANT_TOKEN });
  const { eventId } = await bearer.reportConversion(order());
  assert.equal((await bearer.getEvent(eventId)).eventId, eventId);
  await assert.rejects(bearer.archiveProducts({ productIds: ["x"] }), /products:write/);
  assert.throws(() => new Hub({ token: "tok" }), /^MissingSetting: Set baseUrl:/);
});

test("operators act and follow what changes", async () => {
  const operators = new OperatorsHub({ baseUrl: process.env.HUB_BASE_URL, token: process.env.OPERATOR_TOKEN });
  const wanted = { name: "Ts", email: `ts-${randomUUID()}@blog.example` };
  const idempotencyKey = randomUUID();
  const made = await operators.createAffiliate(wanted, { idempotencyKey });
  assert.deepEqual(await operators.createAffiliate(wanted, { idempotencyKey }), made);
  const ids = [];
  for await (const each of operators.iterateAffiliates({ limit: 1 })) ids.push(each.id);
  assert.ok(ids.includes(made.id));
  let last;
  for await (const part of operators.followChanges({ wait: 0 })) last = part;
  assert.equal(last.more, false);
});

test("affiliates read what is theirs", async () => {
  const options = { baseUrl: process.env.HUB_BASE_URL, token: process.env.AFFILIATE_TOKEN };
  assert.match((await new AffiliatesHub(options).getAffiliate()).id, /^aff_/);
  await assert.rejects(new OperatorsHub(options).listAffiliates(), { status: 403, code: "insufficient_scope" });
  assert.throws(() => new AffiliatesHub({ ...options, token: "" }), MissingSetting);
});

test("a missing setting is named at once", () => {
  assert.throws(() => new Hub({ baseUrl: "", key: "k" }), (fault) => {
    assert.ok(fault instanceof MissingSetting);
    assert.match(fault.message, /^Set baseUrl and secret:/);
    return true;
  });
});

test("a caller may stop it", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(hub.listProducts({}, { signal }), /enough/);
});
