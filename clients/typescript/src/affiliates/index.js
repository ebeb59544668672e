// The client of the affiliates' API, which is asked with a token.

import { attach } from "../caller.js";
import { TokenCaller } from "../tokens.js";
import { OPERATIONS } from "./operations.js";

export class AffiliatesHub extends TokenCaller {}

attach(AffiliatesHub, OPERATIONS);
