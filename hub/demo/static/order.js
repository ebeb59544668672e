// Fetches the part of the page that changes and puts it in place, keeping opened details open.
"use strict";

const news = document.getElementById("news");
const PAUSE = 700;
let shown = "";

async function refresh() {
  const answer = await fetch(news.dataset.source, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const text = await answer.text();
  if (text === shown) return;
  shown = text;
  const open = [...news.querySelectorAll("details[open]")].map((each) => each.id);
  news.innerHTML = text;
  for (const id of open) {
    const details = document.getElementById(id);
    if (details) details.open = true;
  }
}

async function watch() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    // The demo was stopped or is starting again; the next try tells.
  }
  setTimeout(watch, PAUSE);
}

watch();
