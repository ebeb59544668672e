
const body = pm.request.body && pm.request.body.raw ? pm.variables.replaceIn(pm.request.body.raw) : "";
if (body) pm.request.body.raw = body;
const headers = signedHeaders(pm.variables.get("hubKey"), pm.variables.get("hubSecret"), body);
for (const [key, value] of Object.entries(headers)) pm.request.headers.upsert({ key, value });
