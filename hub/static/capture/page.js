"use strict";

// Writes the line to paste, with the options that are chosen; without scripts the plain line stands there already.
const form = document.getElementById("options");
const line = document.getElementById("line");
const copy = document.getElementById("copy");
const copied = document.getElementById("copied");

const certain = line.dataset.certain === "yes";
const script = certain ? line.dataset.script : new URL("capture.js", location.href.split(/[?#]/)[0]).href;
const origin = new URL(script).origin;

for (const node of document.querySelectorAll(".script")) node.textContent = script;
for (const node of document.querySelectorAll(".origin")) node.textContent = origin;

function attributes({ days, domain, platform, consent, clean }) {
  const host = domain.value.trim().replace(/^https?:\/\//, "").replace(/[/:].*$/, "").replace(/[^\w.-]/g, "");
  return [
    /^\d{1,4}$/.test(days.value) ? `data-days="${days.value}"` : "",
    host ? `data-domain="${host}"` : "",
    platform.value ? `data-platform="${platform.value}"` : "",
    consent.value ? `data-consent="${consent.value}"` : "",
    clean.checked ? "data-clean" : "",
  ];
}

function write() {
  line.textContent = ["<script async", `src="${script}"`, ...attributes(form.elements)].filter(Boolean).join(" ") + "></script>";
  copied.textContent = "";
}

form.addEventListener("input", write);
form.addEventListener("submit", (event) => event.preventDefault());
copy.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(line.textContent);
    copied.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(line);
    copied.textContent = "Selected: press Ctrl+C or ⌘C.";
  }
});
document.getElementById("insecure").hidden = !script.startsWith("http:") || /^(localhost|127\.|\[::1)/.test(new URL(script).host);
form.hidden = copy.hidden = false;
write();
