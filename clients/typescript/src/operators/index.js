// The client of the operators' API, which is asked with a token.

import { attach } from "../caller.js";
import { TokenCaller } from "../tokens.js";
import { OPERATIONS } from "./operations.js";

export class OperatorsHub extends TokenCaller {}

attach(OperatorsHub, OPERATIONS);
