// What can go wrong: an answer that refuses, with the hub's code, or no answer.

export class HubError extends Error {
  constructor(status, body, retryAfter = 0) {
    const said = body?.message ?? "";
    const messages = Array.isArray(said) ? said : [String(said)];
    super(`${status} ${body?.code ?? ""}: ${messages.join("; ")}`.replace(" :", ":"));
    this.name = "HubError";
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = body?.code ?? "";
    this.messages = messages;
    this.param = body?.param;
    this.docUrl = body?.docUrl;
    this.requestId = body?.requestId;
  }
}

// Too many requests: `retryAfter` says in how many milliseconds there is room again.
export class RateLimited extends HubError {
  constructor(status, body, retryAfter) {
    super(status, body, retryAfter);
    this.name = "RateLimited";
  }
}

export class MissingSetting extends Error {
  constructor(names) {
    super(`Set ${names.join(" and ")}: the hub's address with /api at its end, and a key's two parts, or a token.`);
    this.name = "MissingSetting";
  }
}

export class NoAnswer extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "NoAnswer";
  }
}

export function errorOf(status, answer, retryAfter) {
  const kind = status === 429 ? RateLimited : HubError;
  return new kind(status, typeof answer === "string" ? { message: answer.slice(0, 200) } : answer, retryAfter);
}

export function refuseMissing(settings) {
  const missing = Object.keys(settings).filter((name) => !settings[name]);
  if (missing.length > 0) throw new MissingSetting(missing);
}
