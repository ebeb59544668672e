// A token of a merchant's account in place of a signature: it is made on the hub's page Developers, Tokens.

class AffiliateHubApi {
  name = "affiliateHubApi";
  displayName = "Affiliate Hub API";
  documentationUrl = "https://www.npmjs.com/package/n8n-nodes-affiliate-hub";
  properties = [
    {
      displayName: "Address",
      name: "baseUrl",
      type: "string",
      default: "",
      placeholder: "https://hub.example/api",
      description: "The hub's address with /api at its end",
    },
    {
      displayName: "Token",
      name: "token",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description: "With the scopes webhooks:write for the trigger, and orders:write to report orders",
    },
  ];
  authenticate = { type: "generic", properties: { headers: { Authorization: "=Bearer {{$credentials.token}}" } } };
  test = { request: { baseURL: "={{$credentials.baseUrl}}", url: "/v1/event-types" } };
}

module.exports = { AffiliateHubApi };
