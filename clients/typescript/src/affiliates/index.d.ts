import type { Follows, TokenOptions } from "../index.js";
import type { ChangesDocument, Operations } from "./types.js";

export * from "./types.js";

/** The client of the affiliates' API, which is asked with a token. */
export interface AffiliatesHub extends Operations, Follows<ChangesDocument> {}
export class AffiliatesHub {
  constructor(options: TokenOptions);
  /** A client with HUB_BASE_URL and HUB_TOKEN. */
  static fromEnvironment(options?: Partial<TokenOptions>): AffiliatesHub;
}
