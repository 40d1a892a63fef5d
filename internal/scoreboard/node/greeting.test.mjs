import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { query } from "@anthropic-ai/claude-agent-sdk";

test("the agent greets", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agent-"));
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify({ turns: [{ match: { text: "greet" }, text: "Hello." }] }));
  const claude = execFileSync("protogen", ["sim", "install", folder, "--script", script], { encoding: "utf8" }).trim();

  const results = [];
  for await (const message of query({ prompt: "greet me", options: { pathToClaudeCodeExecutable: claude, cwd: folder } })) {
    if (message.type === "result") results.push(message.result);
  }
  assert.deepEqual(results, ["Hello."]);
});
