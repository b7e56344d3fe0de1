// node follows_schema.mjs NODE_MODULES SCHEMA < DOCUMENT: prints each error in a JSON document on its own line.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, schema] = process.argv.slice(2);
const { default: Ajv } = createRequire(modules + "/")("ajv/dist/2019.js");
// The schema of compose files has the old fields `$schema` and `id`. Ajv does not know them, and nothing uses them.
const withoutNames = (key, value) => (["$schema", "id"].includes(key) && typeof value === "string" ? undefined : value);
const form = JSON.parse(readFileSync(schema, "utf8"), withoutNames);
const follows = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(form);
if (!follows(JSON.parse(readFileSync(0, "utf8")))) {
  for (const { instancePath, message, params } of follows.errors) console.log(instancePath, message, JSON.stringify(params));
}
