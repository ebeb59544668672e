// Passkeys: each [data-passkey] form gets its challenge from [data-options], and sends the browser's answer as its field.
"use strict";
(() => {
  if (!window.PublicKeyCredential || !PublicKeyCredential.parseRequestOptionsFromJSON) return;
  let waiting = null;

  async function optionsOf(form) {
    const body = new URLSearchParams({ csrf: form.elements.csrf.value });
    const response = await fetch(form.dataset.options, { method: "POST", body });
    return response.ok ? response.json() : null;
  }

  async function answer(form, mediation) {
    waiting?.abort();
    waiting = new AbortController();
    const given = await optionsOf(form);
    if (!given) return;
    const made = form.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(given), signal: waiting.signal })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(given), signal: waiting.signal, mediation });
    if (!made) return;
    form.elements.passkey.value = JSON.stringify(made.toJSON());
    form.submit();
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(form, "optional").catch(() => form.querySelector("button").focus());
    });
  }

  const offered = document.querySelector("form[data-autofill]");
  if (offered && PublicKeyCredential.isConditionalMediationAvailable) {
    PublicKeyCredential.isConditionalMediationAvailable()
      .then((can) => (can ? answer(offered, "conditional") : null))
      .catch(() => null);
  }
})();
