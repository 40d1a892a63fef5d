// A program for protogen conform sdk --spawn: one prompt through @instantlyeasy/claude-code-sdk-ts,
// which has a function for that and no session. The CLI is the first in the PATH.
import { query } from "@instantlyeasy/claude-code-sdk-ts";

for await (const message of query("hello")) console.log(message.type);
