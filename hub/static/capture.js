/* Carries affiliate clicks to the order; see /capture on this hub. */
(() => {
  const NAME = "affiliate_click_id";
  const script = document.currentScript || document.querySelector("script[src*='/capture.js']") || {};
  const { days, domain, platform, consent, clean } = script.dataset || {};
  const given = window.affiliateHub || {};
  // Loaded twice: by the theme and by an app, say.
  if (given.clickId) return;

  let allowed = consent !== "wait" || given.allowed;
  let caught;

  // Nothing that fails in here may be felt by the shop: refused cookies, sandboxed frames, strange values.
  const quietly = (action) => () => {
    try {
      return action();
    } catch (_) {}
  };

  // Without such a cookie this fails, quietly.
  const kept = quietly(() => /(^|; )affiliate_click_id=([\w-]{1,128})(;|$)/.exec(document.cookie)[2]);

  // The cookie comes first: another tab may have caught a later click.
  const clickId = () => (allowed && (kept() || caught)) || null;

  const keep = quietly(() => {
    const length = /^\d{1,4}$/.test(days) ? days : 30;
    const age = length > 0 ? `; Max-Age=${length * 86400}` : "";
    const secure = location.protocol === "https:" ? "; Secure" : "";
    const write = (value, more) => {
      document.cookie = `${NAME}=${value}; Path=/; SameSite=Lax${secure}${more}`;
    };
    if (domain) {
      // An older cookie of this host alone would be read before the shared one.
      write("", "; Max-Age=0");
      write(caught, `${age}; Domain=${domain}`);
    }
    // Browsers drop a cookie for a domain that is not the shop's.
    if (kept() !== caught) write(caught, age);
  });

  // As text, because URLSearchParams would write the other parameters anew.
  const tidy = quietly(() => {
    const { origin, pathname, search, hash } = location;
    const own = /&(affiliate_click|aff)_id=[^&]*/g;
    const query = search.replace("?", "&").replace(own, "").replace("&", "?");
    if (query !== search) history.replaceState(history.state, "", origin + pathname + query + hash);
  });

  const fill = quietly(() => {
    const id = clickId();
    if (!id) return;
    for (const form of document.querySelectorAll("form[data-affiliate-click]")) {
      const name = form.dataset.affiliateClick || NAME;
      const hidden = Object.assign(document.createElement("input"), { type: "hidden", name });
      (form.querySelector(`input[name="${name}"]`) || form.appendChild(hidden)).value = id;
    }
    for (const input of document.querySelectorAll(`input[name=${NAME}]`)) input.value = id;
  });

  const carry = async () => {
    try {
      const shop = window.Shopify;
      const id = clickId();
      if (!id || (platform ? platform !== "shopify" : !shop)) return;
      const { root = "/" } = (shop || {}).routes || {};
      const cart = await (await fetch(`${root}cart.js`)).json();
      if ((cart.attributes || {})[NAME] === id) return;
      // keepalive: the visitor may be on the way to the next page already.
      await fetch(`${root}cart/update.js`, {
        method: "POST",
        keepalive: true,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ attributes: { [NAME]: id } }),
      });
      // What fails is tried again on the next page.
    } catch (_) {}
  };

  const hand = () => {
    fill();
    carry();
  };

  const start = () => {
    allowed = true;
    if (caught) keep();
    if (clean !== undefined) tidy();
    if (document.readyState !== "loading") return hand();
    document.addEventListener("DOMContentLoaded", hand);
  };

  quietly(() => {
    const id = new URLSearchParams(location.search).getAll(NAME).pop();
    if (/^[\w-]{1,128}$/.test(id)) caught = id;
    window.affiliateHub = { clickId, allow: () => allowed || start() };
    document.addEventListener("submit", fill, true);
    // A page that comes back from the browser's memory may find a new cart: the old one was bought.
    window.addEventListener("pageshow", (event) => event.persisted && carry());
    if (allowed) start();
  })();
})();
