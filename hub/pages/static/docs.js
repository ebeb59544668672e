// Comforts of the documentation: the language, copying, and requests that this tab signs and sends.
"use strict";

const KEPT = "docs-key"; // of this tab alone, until it is closed
const LANGUAGE = "docs-language";

// One language everywhere, and the next time too.
function choose(language) {
  for (const input of document.querySelectorAll(`.languages input[value="${language}"]`)) input.checked = true;
}
for (const input of document.querySelectorAll(".languages input")) {
  input.addEventListener("change", () => {
    const before = input.getBoundingClientRect().top;
    choose(input.value);
    window.scrollBy({ top: input.getBoundingClientRect().top - before, behavior: "instant" });
    localStorage.setItem(LANGUAGE, input.value);
  });
}
const kept = localStorage.getItem(LANGUAGE);
if (/^[a-z]+$/.test(kept ?? "")) choose(kept);

// Copying takes the function that signs along, so that what is pasted runs.
for (const button of document.querySelectorAll("[data-copy-code]")) {
  const block = button.closest("[data-code]");
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const language = block.querySelector("input:checked").value;
    const codeIn = (part) => part?.querySelector(`pre[data-language="${language}"]`)?.textContent.trim() ?? "";
    const signer = "withSigner" in block.dataset ? `${codeIn(document.querySelector(".signer"))}\n\n` : "";
    await navigator.clipboard.writeText(`${signer}${codeIn(block)}\n`);
    button.firstChild.textContent = "Copied";
    setTimeout(() => { button.firstChild.textContent = "Copy"; }, 2000);
  });
}

// Signing
const bytes = (text) => new TextEncoder().encode(text);
const hex = (raw) => Array.from(new Uint8Array(raw), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function hmac(secret, text) {
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, bytes(text)));
}

// What version 2 signs; the target is the path and query as they are sent.
async function secondVersion({ timestamp, nonce, method, target, body }) {
  const digest = hex(await crypto.subtle.digest("SHA-256", bytes(body)));
  return `v2.${timestamp}.${nonce}.${method}.${target}.${digest}`;
}

async function signatureHeaders(key, method, target, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = crypto.randomUUID();
  const signature = await hmac(key.secret, await secondVersion({ timestamp, nonce, method, target, body }));
  return {
    "X-API-Key": key.id, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature-Version": "2", "X-Signature": signature,
  };
}

const ownKey = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "null");

for (const form of document.querySelectorAll("[data-own-key]")) {
  const state = form.querySelector("[data-key-state]");
  const say = () => { state.textContent = ownKey() ? `Signing as ${ownKey().id}` : ""; };
  form.hidden = !crypto.subtle;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { id, secret } = form.elements;
    sessionStorage.setItem(KEPT, JSON.stringify({ id: id.value.trim(), secret: secret.value.trim() }));
    secret.value = "";
    say();
  });
  say();
}

// A page as Markdown
for (const button of document.querySelectorAll("[data-copy-page]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const words = button.textContent;
    const response = await fetch(button.dataset.copyPage);
    if (response.ok) await navigator.clipboard.writeText(await response.text());
    button.textContent = response.ok ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = words; }, 2000);
  });
}

// Try it
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function part(words, text) {
  const title = document.createElement("p");
  const shown = document.createElement("pre");
  title.textContent = words;
  shown.tabIndex = 0;
  shown.textContent = text;
  return [title, shown];
}

function requestOf(form) {
  const headers = {};
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const field of form.elements) {
    const [place, name] = field.name.split(":");
    const value = field.value.trim();
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (place === "query" && value) query.set(name, value);
    if (place === "header" && value) headers[name] = value;
  }
  const asked = query.size ? `?${query}` : "";
  return { method: form.dataset.try, path: path + asked, headers, body: form.elements.body?.value ?? "", type: form.dataset.type };
}

function commandOf({ method, path, headers, body }) {
  const named = Object.entries(headers).map(([name, value]) => ` \\\n  -H ${quoted(`${name}: ${value}`)}`).join("");
  const signer = document.querySelector('.signer pre[data-language="curl"]')?.textContent.trim();
  const call = `call ${method} ${quoted(path)}${body || named ? ` ${quoted(body)}` : ""}${named}`;
  return signer ? `${signer}\n\n${call}` : call;
}

const readable = (text) => { try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; } };

for (const form of document.querySelectorAll("[data-try]")) {
  form.closest("details").hidden = !crypto.subtle;
  const result = form.querySelector("[data-result]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = ownKey();
    if (!key) {
      const wanted = document.querySelector("[data-own-key]");
      result.replaceChildren(...part("First give a test key: it is asked for on top of this page.", "").slice(0, 1));
      wanted?.elements.secret.focus();
      return;
    }
    const request = requestOf(form);
    const { method, path, body } = request;
    const url = new URL(`/api${path}`, location.origin);
    const headers = { ...request.headers, ...(await signatureHeaders(key, method, url.pathname + url.search, body)) };
    if (request.type) headers["Content-Type"] = request.type;
    const began = performance.now();
    try {
      const response = await fetch(url, { method, headers, body: body || undefined, cache: "no-store" });
      const text = await response.text();
      const took = Math.round(performance.now() - began);
      result.replaceChildren(
        ...part(`Answer ${response.status} ${response.statusText}, ${took} ms`, readable(text)),
        ...part("The same in a shell", commandOf(request)),
      );
      result.dataset.status = response.status;
    } catch (fault) {
      result.replaceChildren(...part("No answer", String(fault)));
    }
  });
}

// The signature checker
for (const form of document.querySelectorAll("[data-checker]")) {
  const show = (name, text) => { form.querySelector(`[data-${name}]`).textContent = text; };
  form.hidden = !crypto.subtle;
  form.addEventListener("input", async () => {
    const { secret, timestamp, nonce, method, target, body, signature } = form.elements;
    const parts = { timestamp: timestamp.value, nonce: nonce.value, body: body.value };
    const signed = target.value
      ? await secondVersion({ ...parts, method: method.value, target: target.value })
      : [parts.timestamp, ...(parts.nonce ? [parts.nonce] : []), parts.body].join(".");
    show("signed", signed);
    const right = secret.value ? await hmac(secret.value, signed) : "";
    show("signature", right);
    const off = Math.abs(Date.now() / 1000 - Number(timestamp.value));
    const same = signature.value.trim() === right;
    const opinions = [];
    if (right && signature.value) opinions.push(same ? "The signatures are equal." : "Your signature is another one.");
    if (/^\d{10}$/.test(timestamp.value) && off > 300) opinions.push(`The timestamp is ${Math.round(off)} seconds off.`);
    show("opinion", opinions.join(" "));
  });
}

// Addresses of before: an error's paragraph was on the first page.
if (location.pathname === "/docs" && document.querySelector(".codes") && location.hash.length > 1) {
  const code = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (code?.closest(".codes")) location.replace(code.querySelector("a").href);
}
