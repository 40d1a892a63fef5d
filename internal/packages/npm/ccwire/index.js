export { check, read, readFromCLI, readFromSDK, ReadError } from "./read.js";
export { answer, refuse, write, writeFromCLI } from "./write.js";
export { lines, messages } from "./lines.js";
