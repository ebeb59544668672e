// The signature of a request: HMAC-SHA256 over the timestamp, the nonce and what is asked, the body's bytes included.

const bytesOf = (text) => new TextEncoder().encode(text);

export async function hmac(key, text) {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, hash, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(text)));
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function signature(secret, timestamp, nonce, body) {
  return hex(await hmac(bytesOf(secret), `${timestamp}.${nonce}.${body}`));
}

// Version 2 also covers the method and the target: the path with its query as they are sent.
export async function signatureV2(secret, timestamp, nonce, method, target, body) {
  const digest = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(body))));
  return hex(await hmac(bytesOf(secret), `v2.${timestamp}.${nonce}.${method}.${target}.${digest}`));
}

export async function signedHeaders(key, secret, method, target, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = crypto.randomUUID();
  return {
    "X-API-Key": key,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature-Version": "2",
    "X-Signature": await signatureV2(secret, timestamp, nonce, method, target, body),
  };
}
