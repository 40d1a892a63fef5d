// The half of a driver for protogen conform sdk that knows @instantlyeasy/claude-code-sdk-ts, which
// has a function for one prompt and no session. The CLI is the first in the PATH.
import { query } from "@instantlyeasy/claude-code-sdk-ts";
import { serve } from "./ccwire-driver.mjs";
import { readFileSync } from "node:fs";

function open({ cwd, env, prompt, options: o = {} }) {
  const abort = new AbortController();
  const options = { cwd, env, signal: abort.signal, model: o.model, permissionMode: o.permission_mode, sessionId: o.resume };
  let messages;
  const session = {
    prompt: (text) => void (messages = query(text, options)),
    next: () => messages.next(),
    close: () => abort.abort(),
  };
  if (prompt !== undefined) session.prompt(prompt);
  return session;
}

const manifest = new URL("node_modules/@instantlyeasy/claude-code-sdk-ts/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest));
serve({ sdk: "instantlyeasy-claude-code-sdk-ts", version, features: ["query", "resume", "stderr", "exit_code"], open });
