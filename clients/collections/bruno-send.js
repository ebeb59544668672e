// The address is made here as it will be sent. Bodies are text in this collection, so that what is signed is what is sent.
const named = (url, { name, value }) => url.replace(`/:${name}`, `/${encodeURIComponent(bru.interpolate(value))}`);
const url = (req.getPathParams() || []).reduce(named, bru.interpolate(req.getUrl()));
req.setUrl(url);
const sent = { method: req.getMethod(), target: targetOf(url), body: req.getBody({ raw: true }) || "" };
const headers = signedHeaders(bru.getEnvVar("hubKey"), bru.getEnvVar("hubSecret"), sent);
for (const [key, value] of Object.entries(headers)) req.setHeader(key, value);
