// Fifty tests at once on one simulated CLI, the one at PARALLEL_CLI.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { query } from "@anthropic-ai/claude-agent-sdk";

const cli = process.env.PARALLEL_CLI;

async function ask(cwd, prompt, more) {
  let last;
  for await (const m of query({ prompt, options: { pathToClaudeCodeExecutable: cli, cwd, permissionMode: "acceptEdits", ...more } })) last = m;
  return last;
}

describe("fifty at once", { concurrency: 50 }, () => {
  for (let n = 1; n <= 50; n++) {
    test("number " + n, async () => {
      const cwd = mkdtempSync(join(tmpdir(), "parallel-"));
      try {
        const first = await ask(cwd, `write number ${n}.`);
        assert.equal(first.result, `${n} is written.`);
        assert.deepEqual(readdirSync(cwd), ["n.txt"]);
        assert.equal(readFileSync(join(cwd, "n.txt"), "utf8"), `${n}`);
        if (n % 10 === 0) assert.equal((await ask(cwd, "go on", { resume: first.session_id })).result, "The second part.");
      } finally {
        rmSync(cwd, { recursive: true });
      }
    });
  }
});
