// What both nodes share: requests with the credential, and the signature of Standard Webhooks.

const { createHmac, timingSafeEqual } = require("node:crypto");

const TOLERANCE_SECONDS = 300;

async function ask(node, method, path, body) {
  const { baseUrl } = await node.getCredentials("affiliateHubApi");
  const request = { method, url: `${baseUrl.replace(/\/+$/, "")}${path}`, json: true };
  if (body !== undefined) request.body = body;
  return node.helpers.httpRequestWithAuthentication.call(node, "affiliateHubApi", request);
}

// Whether the hub signed these bytes with the secret (whsec_...) in the last minutes.
function isSigned(secret, headers, raw, now = Date.now() / 1000) {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((part) => headers[`webhook-${part}`] ?? "");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(raw).digest();
  return signatures.split(" ").some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

module.exports = { ask, isSigned };
