// Measures how long recorded lines take to read: bench.mjs LINES BUNDLE CODEGEN ROUNDS. It prints the
// processor time of each contender for a line in microseconds, the least of the rounds, and its ratio
// to that of ccwire for the same lines, as one JSON object.
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

// A measurement repeats its lines until it is long beside the clock's steps and one collection of
// garbage.
const atLeast = 100_000; // microseconds

function measure(name, lines) {
  const start = process.cpuUsage();
  for (let reads = lines.length; ; reads += lines.length) {
    for (const line of lines) {
      if (!contenders[name](line)) throw new Error(`${name} refuses ${line}`);
    }
    const { user, system } = process.cpuUsage(start);
    if (user + system >= atLeast) return (user + system) / reads;
  }
}

// The first round compiles what is hot and does not count. Of the others the least disturbed does.
const least = {};
for (let round = -1; round < Number(rounds); round++) {
  for (const name of Object.keys(contenders)) {
    const lines = name === "zod" ? few : all;
    const ours = measure("ccwire", lines);
    const time = measure(name, lines);
    if (round < 0) continue;
    const before = least[name] ?? { ours, time };
    least[name] = { ours: Math.min(ours, before.ours), time: Math.min(time, before.time) };
  }
}
const result = {};
for (const [name, { ours, time }] of Object.entries(least)) result[name] = { time, ratio: time / ours };
console.log(JSON.stringify(result));
