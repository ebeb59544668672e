// Reports orders and what becomes of them, and looks orders up with the reasons of each decision.

const { ask } = require("./hub.js");

const shown = (...operations) => ({ show: { operation: operations } });
const text = (displayName, name, description, operations, more = {}) => ({
  displayName, name, description, type: "string", default: "", displayOptions: shown(...operations), ...more,
});

class AffiliateHub {
  description = {
    displayName: "Affiliate Hub",
    name: "affiliateHub",
    icon: "file:affiliate-hub.svg",
    group: ["output"],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: "Report orders to an affiliate hub, and look up what became of them",
    defaults: { name: "Affiliate Hub" },
    inputs: ["main"],
    outputs: ["main"],
    usableAsTool: true,
    credentials: [{ name: "affiliateHubApi", required: true }],
    properties: [
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "reportOrder",
        options: [
          { name: "Report an Order", value: "reportOrder", action: "Report an order" },
          { name: "Report a Status", value: "reportStatus", action: "Report what became of an order" },
          { name: "Look Up an Order", value: "lookUp", action: "Look up an order with its commission and its reasons" },
        ],
      },
      text("Order Number", "externalOrderId", "The shop's number of the order", ["reportOrder", "reportStatus", "lookUp"], {
        required: true,
      }),
      text("Amount", "orderAmount", "What the order came to, like 49.90", ["reportOrder"], { required: true }),
      text("Status", "status", "Like delivered, cancelled or refunded", ["reportStatus"], { required: true }),
      {
        displayName: "More Fields",
        name: "more",
        type: "json",
        default: "{}",
        description: "Other fields of the API as an object, like clickId, currency or lines",
        displayOptions: shown("reportOrder", "reportStatus"),
      },
    ],
  };

  async execute() {
    const found = [];
    for (const [index] of this.getInputData().entries()) {
      try {
        found.push({ json: await done(this, index), pairedItem: { item: index } });
      } catch (fault) {
        if (!this.continueOnFail()) throw fault;
        found.push({ json: { error: fault.message }, pairedItem: { item: index } });
      }
    }
    return [found];
  }
}

async function done(node, index) {
  const given = (name) => node.getNodeParameter(name, index);
  const operation = given("operation");
  const externalOrderId = given("externalOrderId");
  if (operation === "lookUp") {
    const { data } = await ask(node, "GET", `/v1/conversions?externalOrderId=${encodeURIComponent(externalOrderId)}`);
    return data[0] ?? { externalOrderId, found: false };
  }
  const more = given("more");
  const named = operation === "reportOrder" ? { orderAmount: given("orderAmount") } : { status: given("status") };
  const body = { ...(typeof more === "string" ? JSON.parse(more || "{}") : more), externalOrderId, ...named };
  return ask(node, "POST", operation === "reportOrder" ? "/v1/conversions" : "/v1/order-status", body);
}

module.exports = { AffiliateHub };
