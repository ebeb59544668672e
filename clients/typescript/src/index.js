// The clients of the affiliate hub: fetch and WebCrypto alone, so they run in Node, Deno, Bun and at the edge.

import { OPERATIONS as OF_AFFILIATES } from "./affiliates.js";
import { Caller, attach } from "./caller.js";
import { HubError, MissingSetting, NoAnswer, RateLimited } from "./errors.js";
import { OPERATIONS } from "./operations.js";
import { OPERATIONS as OF_OPERATORS } from "./operators.js";
import { signature, signatureV2, signedHeaders } from "./signing.js";
import { WebhookFault, verifyWebhook } from "./webhooks.js";

export { HubError, MissingSetting, NoAnswer, RateLimited, WebhookFault, signature, signatureV2, verifyWebhook };

export class Hub extends Caller {
  constructor({ key, secret, token, ...options }) {
    if (token) {
      super(withAddress(options), bearer(token));
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

class TokenCaller extends Caller {
  constructor({ token, ...options }) {
    refuseMissing({ baseUrl: options.baseUrl, token });
    super(options, bearer(token));
  }

  static fromEnvironment(options = {}) {
    return new this({ ...tokenOfEnvironment(), ...options });
  }
}

export class OperatorsHub extends TokenCaller {}
export class AffiliatesHub extends TokenCaller {}

attach(Hub, OPERATIONS);
attach(OperatorsHub, OF_OPERATORS);
attach(AffiliatesHub, OF_AFFILIATES);

const bearer = (token) => () => ({ Authorization: `Bearer ${token}` });

function withAddress(options) {
  refuseMissing({ baseUrl: options.baseUrl });
  return options;
}

function tokenOfEnvironment() {
  const { HUB_BASE_URL, HUB_TOKEN } = globalThis.process.env;
  refuseMissing({ HUB_BASE_URL, HUB_TOKEN });
  return { baseUrl: HUB_BASE_URL, token: HUB_TOKEN };
}

function refuseMissing(settings) {
  const missing = Object.keys(settings).filter((name) => !settings[name]);
  if (missing.length > 0) throw new MissingSetting(missing);
}
