// Messages of the hub to a shop or an affiliate, verified by the Standard Webhooks specification.

import { hmac } from "./signing.js";

const TOLERANCE_SECONDS = 300;

export class WebhookFault extends Error {
  constructor(message) {
    super(message);
    this.name = "WebhookFault";
  }
}

export async function verifyWebhook(secret, headers, body, { now = Date.now() / 1000 } = {}) {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((part) => valueOf(headers, `webhook-${part}`));
  if (!id || !/^\d+$/.test(timestamp ?? "") || !signatures) throw new WebhookFault("a header of the signature is missing");
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) throw new WebhookFault("the message is too old");
  const key = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (each) => each.charCodeAt(0));
  const mac = await hmac(key, `${id}.${timestamp}.${body}`);
  const expected = `v1,${btoa(String.fromCharCode(...mac))}`;
  if (!signatures.split(" ").some((each) => isEqual(each, expected))) throw new WebhookFault("the signature is another one");
  return JSON.parse(body);
}

// Headers of fetch, or an object as node:http, Express and Fastify give it.
function valueOf(headers, wanted) {
  if (typeof headers.get === "function") return headers.get(wanted);
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? [];
  return Array.isArray(value) ? value[0] : value;
}

// In the same time wherever they differ.
function isEqual(one, other) {
  let difference = one.length ^ other.length;
  for (let place = 0; place < other.length; place += 1) difference |= (one.charCodeAt(place) || 0) ^ other.charCodeAt(place);
  return difference === 0;
}
