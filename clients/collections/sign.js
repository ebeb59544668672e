// Before each request: sign it. Variables: hubKey, hubSecret (kept as a secret), baseUrl.
const crypto = require("crypto-js");

function signedHeaders(key, secret, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join("");
  const signature = crypto.HmacSHA256(`${timestamp}.${nonce}.${body}`, secret).toString(crypto.enc.Hex);
  return { "X-API-Key": key, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature };
}
