// Loads a package of nodes by n8n's own loader, and has n8n's own rules judge a node of each kind as it is placed.

const { createRequire } = require("node:module");

const [tools, folder, given] = process.argv.slice(2);
const need = createRequire(`${tools}/package.json`);
const { PackageDirectoryLoader } = need("n8n-core/dist/nodes-loader/package-directory-loader.js");
const { NodeHelpers } = need("n8n-workflow");

function placed(name, description, given) {
  const node = { name, type: name, typeVersion: [].concat(description.version).at(-1), parameters: given };
  const parameters = NodeHelpers.getNodeParameters(description.properties, given, true, false, node, description);
  const issues = NodeHelpers.getNodeParametersIssues(description.properties, { ...node, parameters }, description);
  return { parameters, missing: Object.keys(issues?.parameters ?? {}) };
}

async function loaded() {
  const loader = new PackageDirectoryLoader(folder);
  await loader.loadAll();
  const filled = JSON.parse(given);
  const nodes = Object.entries(loader.nodeTypes).map(([name, { type }]) => [
    name,
    { empty: placed(name, type.description, {}), filled: placed(name, type.description, filled[name] ?? {}) },
  ]);
  const credentials = loader.types.credentials.map((each) => [each.name, each.supportedNodes]);
  return { nodes: Object.fromEntries(nodes), credentials: Object.fromEntries(credentials) };
}

loaded().then((found) => console.log(JSON.stringify(found)));
