// The client of the affiliate hub: fetch and WebCrypto alone, so it runs in Node, Deno, Bun and at the edge.

import { Caller, attach } from "./caller.js";
import { HubError, MissingSetting, NoAnswer, RateLimited, refuseMissing } from "./errors.js";
import { OPERATIONS } from "./operations.js";
import { signature, signatureV2, signedHeaders } from "./signing.js";
import { bearer, tokenOfEnvironment } from "./tokens.js";
import { WebhookFault, verifyWebhook } from "./webhooks.js";

export { HubError, MissingSetting, NoAnswer, RateLimited, WebhookFault, signature, signatureV2, verifyWebhook };

export class Hub extends Caller {
  constructor({ key, secret, token, ...options }) {
    if (token) {
      refuseMissing({ baseUrl: options.baseUrl });
      super(options, bearer(token));
    } else {
      refuseMissing({ baseUrl: options.baseUrl, key, secret });
      super(options, (method, target, raw) => signedHeaders(key, secret, method, target, raw));
    }
  }

  static fromEnvironment(options = {}) {
    const { HUB_BASE_URL, HUB_KEY, HUB_SECRET, HUB_TOKEN } = globalThis.process.env;
    if (HUB_TOKEN && !HUB_KEY) return new Hub({ ...tokenOfEnvironment(), ...options });
    refuseMissing({ HUB_BASE_URL, HUB_KEY, HUB_SECRET });
    return new Hub({ baseUrl: HUB_BASE_URL, key: HUB_KEY, secret: HUB_SECRET, ...options });
  }
}

attach(Hub, OPERATIONS);
