// node follows_schema.mjs NODE_MODULES SCHEMA < DOCUMENT: prints what is wrong with a JSON document, one line each.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, schema] = process.argv.slice(2);
const { default: Ajv } = createRequire(modules + "/")("ajv/dist/2019.js");
// The schema of compose files names its draft in a way that Ajv does not know.
const { $schema, ...rest } = JSON.parse(readFileSync(schema, "utf8"));
const follows = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(rest);
if (!follows(JSON.parse(readFileSync(0, "utf8")))) {
  for (const { instancePath, message, params } of follows.errors) console.log(instancePath, message, JSON.stringify(params));
}
