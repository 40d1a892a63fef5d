import { readFromCLI, ReadError } from "./read.js";

const usual = 16 << 20;

// joined makes a line of its pieces, which are of one kind.
function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  return typeof pieces[0] === "string" ? pieces.join("") : Buffer.concat(pieces);
}

const isBlank = (line) => (typeof line === "string" ? !/[^ \t\r]/.test(line) : line.every((byte) => byte === 32 || byte === 9 || byte === 13));

export async function* lines(chunks, { limit = usual } = {}) {
  let pieces = []; // of the line that has not ended yet
  let length = 0; // of the whole line, also of what is not kept
  for await (const chunk of chunks) {
    const end = typeof chunk === "string" ? "\n" : 10;
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(end, from);
      const to = at < 0 ? chunk.length : at;
      length += to - from;
      if (length > limit) pieces = [];
      else if (to > from) pieces.push(typeof chunk === "string" ? chunk.slice(from, to) : chunk.subarray(from, to));
      from = to + 1;
      if (at < 0) break;
      yield* line(pieces, length, limit);
      pieces = [];
      length = 0;
    }
  }
  yield* line(pieces, length, limit);
}

// line yields a line that has ended, unless it is blank.
function* line(pieces, length, limit) {
  if (length > limit) yield undefined;
  if (pieces.length === 0) return;
  const whole = joined(pieces);
  if (!isBlank(whole)) yield whole;
}

export async function* messages(chunks, options) {
  for await (const line of lines(chunks, options)) {
    if (line !== undefined) yield readFromCLI(line);
    else yield { value: undefined, type: undefined, error: new ReadError("", "longer than the limit") };
  }
}
