"use strict";

// Signs what "Try it out" sends. The secret lives in this variable and nowhere else.
let key = null;

const state = document.getElementById("key-state");

document.getElementById("base").textContent = new URL("api", location.href.split(/[?#]/)[0]).href;

document.getElementById("key").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { id, secret } = event.target.elements;
  if (!window.crypto.subtle) {
    state.textContent = "The browser signs on https and on localhost only.";
    return;
  }
  const bytes = new TextEncoder().encode(secret.value.trim());
  const hmac = { name: "HMAC", hash: "SHA-256" };
  key = { id: id.value.trim(), secret: await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]) };
  secret.value = "";
  state.textContent = `Requests are signed as ${key.id}.`;
});

async function signed(request) {
  if (key === null) return request;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = crypto.randomUUID();
  const text = new TextEncoder().encode(`${timestamp}.${nonce}.${request.body ?? ""}`);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key.secret, text));
  request.headers["X-API-Key"] = key.id;
  request.headers["X-Timestamp"] = timestamp;
  request.headers["X-Nonce"] = nonce;
  request.headers["X-Signature"] = Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return request;
}

// The page has a header and a key form of its own.
const nothing = () => () => null;
const ownFrame = () => ({
  wrapComponents: { info: nothing, authorizeBtn: nothing, authorizeOperationBtn: nothing, ServersContainer: nothing },
});

// Examples of what may be left out are for reading: filled in, they would filter every list and repeat every key.
function withoutOptionalExamples(description) {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  const parameters = operations.flatMap((operation) => operation.parameters);
  for (const { required, schema } of [...parameters, ...Object.values(description.components.parameters)]) {
    if (schema && !required) delete schema.example;
  }
  return description;
}

async function draw(node) {
  const answer = await fetch(node.dataset.description);
  SwaggerUIBundle({
    spec: withoutOptionalExamples(await answer.json()),
    domNode: node,
    plugins: [ownFrame],
    requestInterceptor: signed,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
  });
}

draw(document.getElementById("operations"));
