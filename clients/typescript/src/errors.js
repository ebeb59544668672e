// What can go wrong: an answer that refuses, with the hub's code, or no answer.

export class HubError extends Error {
  constructor(status, body) {
    const said = body?.message ?? "";
    const messages = Array.isArray(said) ? said : [String(said)];
    super(`${status} ${body?.code ?? ""}: ${messages.join("; ")}`.replace(" :", ":"));
    this.name = "HubError";
    this.status = status;
    this.code = body?.code ?? "";
    this.messages = messages;
    this.param = body?.param;
    this.docUrl = body?.docUrl;
    this.requestId = body?.requestId;
  }
}

export class NoAnswer extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "NoAnswer";
  }
}

export function errorOf(status, answer) {
  return new HubError(status, typeof answer === "string" ? { message: answer.slice(0, 200) } : answer);
}
