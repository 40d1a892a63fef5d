// Judges the test vectors with the installed package: vectors.mjs FILE. It prints a line for each
// that is judged otherwise, and how many there were.
import fs from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { lines, readFromCLI, readFromSDK } from "ccwire";
import { checkDefinition } from "ccwire/definitions";

const bytes = (vector, name) => (name in vector ? Buffer.from(vector[name]) : Buffer.from(vector[`${name}_b64`], "base64"));

function object(line) {
  try {
    const value = JSON.parse(typeof line === "string" ? line : new TextDecoder("utf-8", { fatal: true }).decode(line));
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

// framing returns what is wrong with the objects that are found in a stream.
async function framing(vector) {
  const stream = bytes(vector, "stream");
  const cuts = [0, ...(vector.cuts ?? []), stream.length];
  const pieces = cuts.slice(1).map((to, i) => stream.subarray(cuts[i], to));
  const found = [];
  for await (const line of lines(pieces)) {
    const value = line === undefined ? null : object(line);
    if (value) found.push(value);
  }
  return fits(vector.frames, found) ? undefined : `found ${JSON.stringify(found).slice(0, 200)}`;
}

// fits reports whether the objects are those of the frames. One without a value may be found or not.
function fits([frame, ...frames], found) {
  if (frame === undefined) return found.length === 0;
  if ("value" in frame) return isDeepStrictEqual(found[0], frame.value) && fits(frames, found.slice(1));
  return fits(frames, found) || (found.length > 0 && fits(frames, found.slice(1)));
}

function judged(vector) {
  const read = vector.direction === "cli-to-sdk" ? readFromCLI : readFromSDK;
  const error = "value" in vector ? checkDefinition(vector.definition, vector.value) : read(bytes(vector, "line")).error;
  if (vector.valid) return error && `${error.message}, though it is valid`;
  return error ? undefined : `valid, want an error at ${vector.at}`;
}

let count = 0;
for (const line of fs.readFileSync(process.argv[2], "utf8").trim().split("\n").slice(1)) {
  const vector = JSON.parse(line);
  const problem = vector.source === "framing" ? await framing(vector) : judged(vector);
  if (problem) console.log(`${vector.id}: ${problem}`);
  count++;
}
console.log(`${count} vectors`);
