import type { ReadError } from "./index.js";

/**
 * Judges a value by a definition of the schemas, as the test vectors of `ccwire vectors` name it:
 * `"control/can_use_tool.json#/$defs/Response"`. The result is `undefined` if the value is valid.
 */
export function checkDefinition(definition: string, value: unknown): ReadError | undefined;
