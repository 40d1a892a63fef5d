import { checkExpr, exprOf } from "./check.js";
import { modern } from "./legacy.js";
import { duplicate, mayRepeat } from "./text.js";

export class ReadError extends Error {
  constructor(path, reason, value) {
    super(path ? `${path}: ${reason}` : reason);
    this.name = "ReadError";
    this.path = path;
    this.reason = reason;
    this.value = value;
  }
}

const failure = (path, reason, value) => ({ value: undefined, type: undefined, error: new ReadError(path, reason, value) });

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// reading returns a function that reads lines as one type.
function reading(name) {
  const expr = exprOf(name);
  return (line) => {
    let text = line;
    let value;
    try {
      if (typeof line !== "string") text = utf8.decode(line);
      value = JSON.parse(text);
    } catch (error) {
      return failure("", error instanceof SyntaxError ? `not JSON: ${error.message}` : "not UTF-8");
    }
    const found = checkExpr(expr, value);
    if (found.problem) return failure(found.problem.path, found.problem.reason, value);
    if (mayRepeat(text, found.members)) {
      const path = duplicate(text);
      if (path) return failure(pointer(path), "is there twice", value);
    }
    return success(expr, found, value);
  };
}

// success returns a value that is valid, in its modern form.
function success(expr, { row, oldTags }, value) {
  if (!row?.[4] && oldTags.length === 0) return { value, type: row?.[0], error: undefined };
  const now = modern(row?.[4], oldTags, value);
  const found = checkExpr(expr, now);
  return found.problem ? { value, type: row?.[0], error: undefined } : { value: now, type: found.row?.[0], error: undefined };
}

const pointer = (path) => path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export const read = reading("Frame");
export const readFromCLI = reading("FromCLI");
export const readFromSDK = reading("FromSDK");

export function check(name, value) {
  const expr = exprOf(name);
  const found = checkExpr(expr, value);
  if (found.problem) return failure(found.problem.path, found.problem.reason, value);
  return success(expr, found, value);
}
