/* Carries affiliate clicks to the order; see /capture on this hub. */
(() => {
  const NAME = "affiliate_click_id";
  const script = document.currentScript || document.querySelector("script[src*='/capture.js']") || {};
  const { days, domain, platform, consent, clean } = script.dataset || {};
  const given = window.affiliateHub || {};
  // Loaded twice: by the theme and by an app, say.
  if (given.clickId) return;

  let allowed = !consent || given.allowed;
  let caught;

  // Nothing that fails in here may be felt by the shop: refused cookies, sandboxed frames, strange values.
  const quietly = (action) => (...given) => {
    try {
      return action(...given);
    } catch (_) {}
  };

  const within = (host, name) => `.${host}`.endsWith(`.${name}`);
  const domains = (domain || "").split(/[\s,]+/).filter(Boolean);
  const shared = domains.find((name) => within(location.hostname, name));

  // Without such a cookie this fails, quietly.
  const kept = quietly(() => /(^|; )affiliate_click_id=([\w-]{1,128})(;|$)/.exec(document.cookie)[2]);

  // The cookie comes first: another tab may have caught a later click.
  const clickId = () => (allowed && (kept() || caught)) || null;

  const write = (value, more) => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${NAME}=${value}; Path=/; SameSite=Lax${secure}${more}`;
  };

  const forget = (more = "") => write("", `; Max-Age=0${more}`);

  const query = (name) => new URLSearchParams(location.search).getAll(name).pop();

  // The shop's own days, else the campaign's.
  const keep = quietly(() => {
    const length = [days, query("aff_days")].find((each) => /^\d{1,4}$/.test(each)) || 30;
    const age = length > 0 ? `; Max-Age=${length * 86400}` : "";
    if (shared) {
      // An older cookie of this host alone would be read before the shared one.
      forget();
      write(caught, `${age}; Domain=${shared}`);
    }
    // Browsers drop a cookie for a domain that is not the shop's.
    if (kept() !== caught) write(caught, age);
  });

  // As text, because URLSearchParams would write the other parameters anew.
  const tidy = quietly(() => {
    const { origin, pathname, search, hash } = location;
    const own = /&(affiliate_click_id|aff_id|aff_days)=[^&]*/g;
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

  // keepalive: the visitor may be on the way to the next page already.
  const send = (method, address, told) =>
    fetch(address, {
      method,
      keepalive: true,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(told),
    });
  const read = async (address) => (await fetch(address)).json();

  const carts = {
    shopify: async (id) => {
      const { root = "/" } = (window.Shopify || {}).routes || {};
      const cart = await read(`${root}cart.js`);
      if ((cart.attributes || {})[NAME] === id) return;
      await send("POST", `${root}cart/update.js`, { attributes: { [NAME]: id } });
    },
    // Of all that a cart of BigCommerce has, only the buyer's message reaches the order: it is kept.
    bigcommerce: async (id) => {
      const [cart] = await read("/api/storefront/carts");
      if (!cart) return;
      const checkout = `/api/storefront/checkouts/${cart.id}`;
      const said = (await read(checkout)).customerMessage || "";
      const other = said.replace(/\s*affiliate_click_id=[\w-]*/g, "");
      const customerMessage = `${other && other + "\n"}${NAME}=${id}`;
      if (customerMessage !== said) await send("PUT", checkout, { customerMessage });
    },
  };

  const carry = async () => {
    try {
      const id = clickId();
      const cart = carts[platform || (window.Shopify ? "shopify" : window.BCData && "bigcommerce")];
      if (id && cart) await cart(id);
      // What fails is tried again on the next page.
    } catch (_) {}
  };

  // A shop of several domains: the other one gets the click by its address.
  const pass = quietly(({ target }) => {
    const link = target.closest("a[href]");
    const id = clickId();
    const name = link && domains.find((each) => within(link.hostname, each));
    if (!id || !name || name === shared || link.search.includes(`${NAME}=`)) return;
    link.search += `${link.search ? "&" : "?"}${NAME}=${id}`;
  });

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

  const allow = () => allowed || start();
  const deny = quietly(() => {
    allowed = false;
    forget();
    if (shared) forget(`; Domain=${shared}`);
  });
  const atLast = (action) =>
    document.readyState === "complete" ? action() : window.addEventListener("load", action);
  const tell = (yes) => (yes ? allow() : deny());

  // Each asks a consent tool in its own words; "wait" leaves it to the shop's own script.
  const tools = {
    wp: () => {
      const has = () => window.wp_has_consent("marketing");
      const on = (name, action) => document.addEventListener(name, quietly(action));
      const look = () => window.wp_consent_type && has() && allow();
      on("wp_consent_type_defined", look);
      on("wp_listen_for_consent_change", () => tell(has()));
      // Without a type no tool is there that asks, and nobody has to agree.
      quietly(look)();
      atLast(quietly(() => has() && allow()));
    },
    shopify: () => {
      document.addEventListener("visitorConsentCollected", quietly(({ detail }) => tell(detail.marketingAllowed)));
      const name = "consent-tracking-api";
      const look = (error) => !error && Shopify.customerPrivacy.marketingAllowed() && allow();
      const ask = () => Shopify.loadFeatures([{ name, version: "0.1" }], quietly(look));
      if (document.readyState !== "loading") return ask();
      document.addEventListener("DOMContentLoaded", quietly(ask));
    },
    // Purposes 1 (to store) and 7 (to measure what advertising brought).
    tcf: () => {
      const hear = ({ eventStatus, gdprApplies, purpose }, ok) => {
        if (!ok || eventStatus === "cmpuishown") return;
        const { consents = {} } = purpose || {};
        tell(gdprApplies === false || (consents[1] && consents[7]));
      };
      let isAsked;
      const ask = quietly(() => {
        if (isAsked || !window.__tcfapi) return;
        isAsked = true;
        window.__tcfapi("addEventListener", 2, quietly(hear));
      });
      ask();
      atLast(ask);
    },
    // What the page tells Google by gtag; a default may be for some regions only, so that all of them must agree.
    google: () => {
      const layer = (window.dataLayer = window.dataLayer || []);
      const defaults = [];
      let isDecided;
      const hear = quietly(([what, how, { ad_storage: state }]) => {
        if (what !== "consent" || !state) return;
        if (how !== "update") return defaults.push(state);
        isDecided = true;
        tell(state === "granted");
      });
      const { push } = layer;
      layer.forEach(hear);
      layer.push = function (...entries) {
        entries.forEach(hear);
        return push.apply(this, entries);
      };
      atLast(() => {
        if (!isDecided && defaults.length && defaults.every((state) => state === "granted")) allow();
      });
    },
  };

  quietly(() => {
    const id = query(NAME);
    if (/^[\w-]{1,128}$/.test(id)) caught = id;
    window.affiliateHub = { clickId, allow, deny };
    document.addEventListener("submit", fill, true);
    if (domains[1]) document.addEventListener("click", pass, true);
    // A page that comes back from the browser's memory may find a new cart: the old one was bought.
    window.addEventListener("pageshow", (event) => event.persisted && carry());
    if (allowed) return start();
    if (tools[consent]) tools[consent]();
  })();
})();
