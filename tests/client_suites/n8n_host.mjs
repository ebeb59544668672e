// What n8n is to its nodes, as far as these use it: loads a package as n8n does and runs a workflow's life.
// Commands come as lines of JSON on the standard input, each answered by one.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const [folder] = process.argv.slice(2);
const { n8n } = require(`${folder}/package.json`);
const load = (file) => new (Object.values(require(`${folder}/${file}`))[0])();
const nodes = Object.fromEntries(n8n.nodes.map(load).map((each) => [each.description.name, each]));
const [credential] = n8n.credentials.map(load);
const kept = {};
const started = [];
let settings, parameters, url;

// n8n's expressions, as far as credentials have them.
const filled = (text) => text.replace(/^=/, "").replace(/\{\{\$credentials\.(\w+)\}\}/g, (_, name) => settings[name]);

async function httpRequestWithAuthentication(name, { method, url: asked, body }) {
  if (name !== credential.name) throw new Error(`no credential ${name}`);
  const headers = Object.entries(credential.authenticate.properties.headers).map(([key, value]) => [key, filled(value)]);
  const response = await fetch(asked, {
    method,
    headers: { ...Object.fromEntries(headers), "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}

const shared = {
  getCredentials: async () => settings,
  getWorkflowStaticData: () => kept,
  getNodeWebhookUrl: () => url,
  getNodeParameter: (name) => parameters[name],
  getInputData: () => [{ json: {} }],
  continueOnFail: () => false,
  helpers: { httpRequestWithAuthentication },
};

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const answer = { code: 200, status(code) { this.code = code; return this; }, send() { return this; }, end() { return this; } };
  const called = { ...shared, getHeaderData: () => request.headers, getResponseObject: () => answer };
  called.getRequestObject = () => ({ rawBody: Buffer.concat(parts) });
  const { workflowData } = await nodes.affiliateHubTrigger.webhook.call(called);
  if (workflowData) started.push(...workflowData[0].map((each) => each.json));
  response.writeHead(answer.code).end();
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
url = `http://127.0.0.1:${server.address().port}/webhook`;

const commands = {
  names: async () => ({ nodes: Object.keys(nodes), credential: credential.name, url }),
  settings: async (given) => { settings = given; },
  parameters: async (given) => { parameters = given; },
  options: async () => nodes.affiliateHubTrigger.methods.loadOptions.getEvents.call(shared),
  hook: async (name) => nodes.affiliateHubTrigger.webhookMethods.default[name].call(shared),
  run: async () => (await nodes.affiliateHub.execute.call(shared))[0].map((each) => each.json),
  started: async () => started,
};
for await (const line of createInterface({ input: process.stdin })) {
  const [name, given] = JSON.parse(line);
  let answer;
  try {
    answer = { answer: (await commands[name](given)) ?? null };
  } catch (fault) {
    answer = { fault: fault.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
