// What users of ccwire/testing rely on.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import test from "node:test";
import { messages, write } from "ccwire";
import { fuzzFraming, simulated } from "ccwire/testing";

const flags = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
const start = (claude) => spawn(claude.path, flags, { cwd: claude.cwd, stdio: ["pipe", "pipe", "inherit"] });
const user = (content) => write({ type: "user", message: { role: "user", content } });

async function ask(claude, text) {
  const cli = start(claude);
  cli.stdin.end(user(text));
  let result;
  for await (const { value, error } of messages(cli.stdout)) {
    assert.equal(error, undefined);
    if (value.type === "result") result = value.result;
  }
  return result;
}

test("fifty at once say what their scripts say, and are gone when they are closed", async () => {
  const one = async (_, i) => {
    const claude = await simulated({ turns: [{ match: { text: "greet" }, text: `Hello ${i}.` }] });
    assert.equal(await ask(claude, "greet me"), `Hello ${i}.`);
    await claude.check();
    assert.equal((await claude.log()).at(-1).dir, "exit");
    await claude.close();
    assert.equal(existsSync(claude.path), false);
  };
  await Promise.all(Array.from({ length: 50 }, one));
});

test("check says what the script lacks and what it has too much", async () => {
  const claude = await simulated({ turns: [{ match: { text: "greet" }, text: "Hello." }, { match: { text: "never" }, text: "x" }] });
  await assert.rejects(claude.check(), /no session has ended/);
  await ask(claude, "greet me");
  await assert.rejects(claude.check(), /turn 2 .*was never used/);
  await claude.close();
});

test("a script with a misspelt member is refused", () => assert.rejects(simulated({ turn: [] }), /did you mean turns\?/));

test("a session that still runs is ended by close", async () => {
  const claude = await simulated();
  const cli = start(claude);
  const exit = once(cli, "exit");
  cli.stdin.write(user("hello"));
  for await (const { value } of messages(cli.stdout)) {
    if (value.type === "result") break;
  }
  await claude[Symbol.asyncDispose]();
  await exit;
});

test("a parser that is wrong is found out, with the rule", async () => {
  async function* parse(pieces) {
    let text = "";
    for await (const piece of pieces) text += Buffer.from(piece);
    for (const line of text.split(/[\n\u2028]/)) {
      try {
        const value = JSON.parse(line);
        if (value instanceof Object && !Array.isArray(value)) yield value;
      } catch {}
    }
  }
  await assert.rejects(fuzzFraming(parse, { time: 10_000 }), (error) => {
    assert.match(error.message, /takes U\+2028 for the end of a line\nrule: A line ends at LF and nowhere else\./);
    return error.report.findings.length > 1;
  });
});

test("messages finds every frame of the protocol", async () => {
  async function* parse(pieces) {
    for await (const { value } of messages(pieces)) if (value) yield value;
  }
  await fuzzFraming(parse, { time: 15_000, frames: "protocol" });
});
