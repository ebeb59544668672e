// What asks with a token: a merchant's in place of a key, and the clients of the APIs that take nothing else.

import { Caller } from "./caller.js";
import { refuseMissing } from "./errors.js";

export const bearer = (token) => () => ({ Authorization: `Bearer ${token}` });

export function tokenOfEnvironment() {
  const { HUB_BASE_URL, HUB_TOKEN } = globalThis.process.env;
  refuseMissing({ HUB_BASE_URL, HUB_TOKEN });
  return { baseUrl: HUB_BASE_URL, token: HUB_TOKEN };
}

export class TokenCaller extends Caller {
  constructor({ token, ...options }) {
    refuseMissing({ baseUrl: options.baseUrl, token });
    super(options, bearer(token));
  }

  static fromEnvironment(options = {}) {
    return new this({ ...tokenOfEnvironment(), ...options });
  }
}
