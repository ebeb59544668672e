// Before each request: sign it by version 2. Variables: hubKey, hubSecret (kept as a secret), baseUrl.
const crypto = require("crypto-js");

// The target is the path with its query, exactly as they are sent.
function signedHeaders(key, secret, { method, target, body }) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join("");
  const digest = crypto.SHA256(body).toString(crypto.enc.Hex);
  const text = `v2.${timestamp}.${nonce}.${method}.${target}.${digest}`;
  return {
    "X-API-Key": key,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature-Version": "2",
    "X-Signature": crypto.HmacSHA256(text, secret).toString(crypto.enc.Hex),
  };
}

// What follows scheme and host; Postman and Bruno send it with anything but visible ASCII escaped.
const targetOf = (url) => url.replace(/^\w+:\/\/[^/]+/, "").replace(/[^!-~]+/gu, encodeURIComponent);

