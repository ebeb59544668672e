// Starts a workflow when the hub tells of a change: it subscribes while the workflow is active, and takes what is signed.

const { ask, isSigned } = require("./hub.js");

class AffiliateHubTrigger {
  description = {
    displayName: "Affiliate Hub Trigger",
    name: "affiliateHubTrigger",
    icon: "file:affiliate-hub.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts a workflow when a commission or an order changes",
    defaults: { name: "Affiliate Hub Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: "affiliateHubApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook", rawBody: true }],
    properties: [
      {
        displayName: "Event Names or IDs",
        name: "events",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getEvents" },
        default: [],
        required: true,
        description: "What starts the workflow",
      },
      {
        displayName: "Take Test Messages",
        name: "samples",
        type: "boolean",
        default: false,
        description: "Whether messages start the workflow too that were asked for as a test: nothing has happened then",
      },
    ],
  };

  methods = {
    loadOptions: {
      async getEvents() {
        const { data } = await ask(this, "GET", "/v1/event-types");
        return data.map((each) => ({ name: each.type, value: each.type, description: each.about }));
      },
    },
  };

  webhookMethods = {
    default: {
      async checkExists() {
        const kept = this.getWorkflowStaticData("node");
        if (kept.id === undefined) return false;
        const { data } = await ask(this, "GET", "/v1/subscriptions");
        return data.some((each) => each.id === kept.id && each.url === this.getNodeWebhookUrl("default"));
      },

      async create() {
        const url = this.getNodeWebhookUrl("default");
        const made = await ask(this, "POST", "/v1/subscriptions", { url, events: this.getNodeParameter("events") });
        Object.assign(this.getWorkflowStaticData("node"), { id: made.id, secret: made.secret });
        return true;
      },

      async delete() {
        const kept = this.getWorkflowStaticData("node");
        if (kept.id !== undefined) {
          const { data } = await ask(this, "GET", "/v1/subscriptions");
          if (data.some((each) => each.id === kept.id)) await ask(this, "DELETE", `/v1/subscriptions/${kept.id}`);
        }
        delete kept.id;
        delete kept.secret;
        return true;
      },
    },
  };

  async webhook() {
    const { secret } = this.getWorkflowStaticData("node");
    const request = this.getRequestObject();
    if (secret === undefined || !isSigned(secret, this.getHeaderData(), request.rawBody)) {
      this.getResponseObject().status(401).send("The signature is not the hub's.").end();
      return { noWebhookResponse: true };
    }
    const message = JSON.parse(request.rawBody.toString());
    if (message.data.sample && !this.getNodeParameter("samples")) return { webhookResponse: "A test." };
    return { workflowData: [[{ json: { id: this.getHeaderData()["webhook-id"], ...message } }]] };
  }
}

module.exports = { AffiliateHubTrigger };
