// Reads recorded lines with the installed package: samples.mjs FILE. It prints what became of each
// as a line: the type, the line that is written again, or the path and the reason of the error.
import fs from "node:fs";
import { readFromCLI, readFromSDK, write, writeFromCLI } from "ccwire";

for (const sample of fs.readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const { from, line } = JSON.parse(sample);
  const bytes = Buffer.from(line, "base64");
  const { value, type, error } = from === "cli" ? readFromCLI(bytes) : readFromSDK(bytes);
  const written = error ? undefined : from === "cli" ? writeFromCLI(value) : write(value);
  process.stdout.write(`${JSON.stringify({ type, written, path: error?.path, reason: error?.reason })}\n`);
}
