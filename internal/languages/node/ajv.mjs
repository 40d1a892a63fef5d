// Validates lines with Ajv as it comes, and in strict mode: ajv.mjs BUNDLE SAMPLES BROKEN. The first
// error of a broken line must be at its place.
import fs from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const [bundle, samples, broken] = process.argv.slice(2);
const schema = JSON.parse(fs.readFileSync(bundle, "utf8"));
const list = (file) => fs.readFileSync(file, "utf8").trim().split("\n").map((text) => JSON.parse(text));
const report = (at, problem) => console.log(JSON.stringify({ at, problem }));
const place = (error) => error.instancePath + (error.keyword === "required" ? `/${error.params.missingProperty}` : "");

// Ajv logs what it does not like and goes on.
for (const name of ["warn", "error"]) {
  console[name] = (...words) => report("the schema", words.join(" "));
}
let read = 0;
for (const [name, options] of [["default", undefined], ["strict", { strict: true }]]) {
  const validate = new Ajv2020(options).compile(schema);
  for (const { at, text } of list(samples)) {
    if (!validate(JSON.parse(text))) {
      const [first] = validate.errors;
      report(at, `${name}: ${place(first)} ${first.message}`);
    }
    read++;
  }
  for (const { at, text, want } of list(broken)) {
    if (validate(JSON.parse(text))) {
      report(at, `${name}: ${text} is valid, want an error at ${want}`);
    } else if (place(validate.errors[0]) !== want) {
      const all = validate.errors.map((e) => `${place(e)} ${e.message}`);
      report(at, `${name}: ${text}: the first error is at ${place(validate.errors[0])}, want ${want}: ${all.join("; ").slice(0, 300)}`);
    }
    read++;
  }
}
console.log(JSON.stringify({ read }));
