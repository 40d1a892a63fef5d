// Reads samples with zod schemas: zod.mjs BUNDLE SAMPLES.
import fs from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";

const [bundle, samples] = process.argv.slice(2);
const { $schema, definitions } = JSON.parse(fs.readFileSync(bundle, "utf8"));
const schemas = new Map();
const schemaOf = (title) => {
  if (!schemas.has(title)) {
    schemas.set(title, z.fromJSONSchema({ $schema, definitions, $ref: `#/definitions/${title}` }));
  }
  return schemas.get(title);
};
const report = (at, problem) => console.log(JSON.stringify({ at, problem }));

let read = 0;
for (const line of fs.readFileSync(samples, "utf8").trim().split("\n")) {
  const { at, type, text } = JSON.parse(line);
  const value = JSON.parse(text);
  const result = schemaOf(type).safeParse(value);
  if (!result.success) {
    report(at, JSON.stringify(result.error.issues).slice(0, 500));
  } else if (!isDeepStrictEqual(result.data, value)) {
    report(at, "the value changed");
  }
  read++;
}
for (const [type, value] of [
  ["FromCLI", { type: "no_such_type" }],
  ["FromSDK", { type: "control_request", request_id: "1" }],
  ["PermissionResult", { behavior: "deny", message: 7 }],
]) {
  if (schemaOf(type).safeParse(value).success) {
    report("a broken value", `${JSON.stringify(value)} is taken for a ${type}`);
  }
}
console.log(JSON.stringify({ read }));
