// Measures how long recorded lines take to read: bench.mjs LINES BUNDLE CODEGEN ROUNDS. It prints the
// processor time of each contender for a line in microseconds, and its ratio to that of ccwire, both
// as medians of the rounds, as one JSON object.
import fs from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFromCLI } from "ccwire";
import * as z from "zod";

const [file, bundle, codegen, rounds] = process.argv.slice(2);
const all = fs.readFileSync(file, "utf8").trim().split("\n");
const { $schema, definitions } = JSON.parse(fs.readFileSync(codegen, "utf8"));
const fromCLI = z.fromJSONSchema({ $schema, definitions, $ref: "#/definitions/FromCLI" });
const validate = new Ajv2020().compile(JSON.parse(fs.readFileSync(bundle, "utf8")));

const contenders = {
  ccwire: (line) => readFromCLI(line).error === undefined,
  "JSON.parse": (line) => JSON.parse(line) !== undefined,
  ajv: (line) => validate(JSON.parse(line)),
  zod: (line) => fromCLI.safeParse(JSON.parse(line)).success,
};

// Lines that zod reads in a second or two; the others would take it minutes.
const few = all.filter((_, i) => i % 40 === 0);

function measure(name, lines) {
  const start = process.cpuUsage();
  for (const line of lines) {
    if (!contenders[name](line)) throw new Error(`${name} refuses ${line}`);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / lines.length;
}

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const times = {};
const ratios = {};
for (let round = -1; round < Number(rounds); round++) {
  for (const name of Object.keys(contenders)) {
    const lines = name === "zod" ? few : all;
    const ours = measure("ccwire", lines);
    const time = measure(name, lines);
    if (round < 0) continue; // the first does not count
    (times[name] ??= []).push(time);
    (ratios[name] ??= []).push(time / ours);
  }
}
const result = {};
for (const name of Object.keys(contenders)) result[name] = { time: median(times[name]), ratio: median(ratios[name]) };
console.log(JSON.stringify(result));
