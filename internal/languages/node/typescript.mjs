// Writes the types of a bundle: typescript.mjs BUNDLE OUT [SAMPLES LINES]. With samples it also
// writes a module in which each is a constant of its type, for the compiler to check.
import fs from "node:fs";
import { compile } from "json-schema-to-typescript";

const [bundle, out, samples, lines] = process.argv.slice(2);
const schema = JSON.parse(fs.readFileSync(bundle, "utf8"));
fs.writeFileSync(out, await compile(schema, schema.title, { bannerComment: "", format: true }));
if (samples) {
  const list = fs.readFileSync(samples, "utf8").trim().split("\n").map((text) => JSON.parse(text));
  const types = [...new Set(list.map((s) => s.type))].sort();
  const code = [`import type { ${types.join(", ")} } from "./types.js";`];
  list.forEach((s, i) => code.push(`export const line${i}: ${s.type} = ${s.text}; // ${s.at}`));
  fs.writeFileSync(lines, code.join("\n") + "\n");
  console.log(JSON.stringify({ read: list.length }));
}
