// The half of the driver that knows the SDK. It works as it is, without an SDK: replace what says
// REPLACE by calls of yours.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { serve } from "./ccwire-driver.mjs";

// REPLACE: start your SDK with the CLI at cli, in cwd, with env and options; see ccwire-driver.mjs for
// what a session may have, and call called from your callbacks.
function open({ cli, cwd, env }) {
  const args = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
  const child = spawn(cli, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  const started = once(child, "spawn");
  started.catch(() => {}); // ready tells it
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ready: () => started,
    prompt: async (text) => {
      const message = { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" };
      child.stdin.write(JSON.stringify(message) + "\n");
    },
    next: async () => {
      const { value, done } = await lines.next();
      return { value: done ? undefined : JSON.parse(value), done };
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const exit = once(child, "exit");
      child.kill();
      await exit;
    },
  };
}

// REPLACE: the name and the version of your SDK, and the features that its documentation promises.
serve({ sdk: "my-sdk", version: "0.0.0", features: ["session"], open });
