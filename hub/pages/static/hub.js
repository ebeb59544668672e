// Comforts only: every page works without this file.
"use strict";

// Copy buttons: [data-copy="id of the text"].
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    const words = button.firstChild;
    const before = words.textContent;
    words.textContent = "Copied";
    setTimeout(() => { words.textContent = before; }, 2000);
  });
}

// An address has no empty filters.
for (const form of document.querySelectorAll("form.filters")) {
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

// A second click on a button sends nothing more while its form is on its way.
document.addEventListener("submit", (event) => {
  const { dataset } = event.target;
  if (event.target.getAttribute("method") !== "post" || event.defaultPrevented) return;
  if (dataset.sent) return event.preventDefault();
  dataset.sent = "1";
  setTimeout(() => { delete dataset.sent; }, 4000);
});
window.addEventListener("pageshow", () => { for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent; });

// "/" goes to the search, unless somebody is typing.
document.addEventListener("keydown", (event) => {
  const field = document.querySelector("[data-slash]");
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
  if (event.key === "/" && field && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});

// A tick in [data-all] ticks every box of its form; [data-count] says how many are ticked.
for (const form of document.querySelectorAll("form[data-many]")) {
  const boxes = () => [...document.querySelectorAll(`input[type=checkbox][form="${form.id}"]:not([data-all])`)];
  const all = document.querySelector(`[data-all][form="${form.id}"]`);
  const shown = form.querySelector("[data-count]");
  const say = () => { if (shown) shown.textContent = `${boxes().filter((box) => box.checked).length} selected`; };
  if (all) {
    all.closest("[hidden]")?.removeAttribute("hidden");
    all.addEventListener("change", () => { for (const box of boxes()) box.checked = all.checked; say(); });
  }
  document.addEventListener("change", say);
  say();
}

// What goes on by itself: [data-poll="ms"] with an id is fetched anew from this page's address until it has no data-poll.
async function poll(id, pause) {
  if (!document.hidden) {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (response && response.ok && !response.redirected) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById(id);
      const old = document.getElementById(id);
      if (!fresh || !old) return;
      const changed = fresh.innerHTML !== old.innerHTML;
      if (changed) old.replaceWith(fresh);
      const next = Number(fresh.dataset.poll);
      if (!next) return;
      pause = changed ? next : Math.min(pause * 2, 60000);
    }
  }
  setTimeout(poll, pause, id, pause);
}
for (const part of document.querySelectorAll("[data-poll][id]")) {
  setTimeout(poll, Number(part.dataset.poll), part.id, Number(part.dataset.poll));
}

// Long work in portions: the form that does the next one is sent by itself.
document.querySelector("form[data-go-on]")?.requestSubmit();

// The reader's time zone, sent to the hub once.
if (document.body.dataset.askZone) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  fetch("/account/zone", { method: "POST", body: new URLSearchParams({ csrf: document.body.dataset.askZone, zone }) }).catch(() => null);
}
