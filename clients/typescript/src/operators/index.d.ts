import type { Follows, TokenOptions } from "../index.js";
import type { ChangesDocument, Operations } from "./types.js";

export * from "./types.js";

/** The client of the operators' API, which is asked with a token. */
export interface OperatorsHub extends Operations, Follows<ChangesDocument> {}
export class OperatorsHub {
  constructor(options: TokenOptions);
  /** A client with HUB_BASE_URL and HUB_TOKEN. */
  static fromEnvironment(options?: Partial<TokenOptions>): OperatorsHub;
}
