// The signature of a request: HMAC-SHA256 over the timestamp, the nonce and the exact bytes of the body.

const bytesOf = (text) => new TextEncoder().encode(text);

export async function hmac(key, text) {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, hash, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(text)));
}

export async function signature(secret, timestamp, nonce, body) {
  const mac = await hmac(bytesOf(secret), `${timestamp}.${nonce}.${body}`);
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function signedHeaders(key, secret, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = crypto.randomUUID();
  return {
    "X-API-Key": key,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature": await signature(secret, timestamp, nonce, body),
  };
}
