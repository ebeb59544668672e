
// Bodies are text in this collection, so that what is signed is what is sent.
const headers = signedHeaders(bru.getEnvVar("hubKey"), bru.getEnvVar("hubSecret"), req.getBody() || "");
for (const [key, value] of Object.entries(headers)) req.setHeader(key, value);
