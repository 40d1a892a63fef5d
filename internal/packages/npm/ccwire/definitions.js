import { checkExpr } from "./check.js";
import { ReadError } from "./read.js";
import { definitions } from "./tables/definitions.js";

export function checkDefinition(definition, value) {
  if (!Object.hasOwn(definitions, definition)) throw new TypeError(`the schemas have no definition ${definition}`);
  const { problem } = checkExpr(definitions[definition], value);
  return problem && new ReadError(problem.path, problem.reason, value);
}
