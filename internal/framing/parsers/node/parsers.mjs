// Ways to read NDJSON with packages of npm, as commands for the framing fuzzer: the argument names
// one. Each is a stream that takes bytes and gives values.
import ndjson from "ndjson";
import split2 from "split2";
import { Readable } from "node:stream";
import { serve } from "./persistent.mjs";

const parsers = {
  ndjson: () => ndjson.parse(),
  "ndjson-loose": () => ndjson.parse({ strict: false }),
  "split2-parse": () => split2(JSON.parse),
  split2: () => split2(tried),
};

function tried(line) {
  try {
    return JSON.parse(line);
  } catch {}
}

const make = parsers[process.argv[2]];

serve(async (pieces, write) => {
  for await (const value of Readable.from(pieces, { objectMode: false }).pipe(make())) write(value);
});
