// What sessions with the TypeScript SDK have in common.
import assert from "node:assert/strict";
import { Prompts as Input } from "./ccwire-driver.mjs";

// Prompts is the input of a session: what is said, until it is closed.
export class Prompts extends Input {
  say(text) {
    super.say({ type: "user", message: { role: "user", content: text }, parent_tool_use_id: null });
  }
}

// result reads until the turn is over.
export async function result(q, seen = () => {}) {
  for (;;) {
    const { value, done } = await q.next();
    assert.ok(!done, "the session ended before its result");
    await seen(value);
    if (value.type === "result") return value;
  }
}

// end closes the input and reads what is left.
export async function end(q, prompts) {
  prompts.close();
  for await (const _ of q);
}
