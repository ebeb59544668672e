const body = pm.request.body && pm.request.body.raw ? pm.variables.replaceIn(pm.request.body.raw) : "";
if (body) pm.request.body.raw = body;
const url = pm.variables.replaceIn(`{{baseUrl}}${pm.request.url.getPathWithQuery()}`);
const sent = { method: pm.request.method, target: targetOf(url), body };
const headers = signedHeaders(pm.variables.get("hubKey"), pm.variables.get("hubSecret"), sent);
for (const [key, value] of Object.entries(headers)) pm.request.headers.upsert({ key, value });
