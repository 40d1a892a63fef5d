// The framing of the official TypeScript SDK, as a command for the framing fuzzer. The argument is
// the folder that it is installed in.
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { serve } from "./persistent.mjs";

const { resolve } = createRequire(process.argv[2] + "/");
const { query } = await import(resolve("@anthropic-ai/claude-agent-sdk"));

// A CLI that writes a stream, and ends well.
class Process extends EventEmitter {
  killed = false;
  exitCode = null;
  stdin = new Writable({ write: (_chunk, _encoding, done) => done() });

  constructor(pieces) {
    super();
    this.stdout = Readable.from(pieces, { objectMode: false });
    this.stdout.on("end", () => this.#exit());
  }

  kill() {
    this.killed = true;
    this.#exit();
    return true;
  }

  #exit() {
    if (this.exitCode === null) this.emit("exit", (this.exitCode = 0), null);
  }
}

async function* prompts() {
  await new Promise(() => {});
}

serve(async (pieces, write) => {
  const options = { pathToClaudeCodeExecutable: "claude", spawnClaudeCodeProcess: () => new Process(pieces) };
  for await (const message of query({ prompt: prompts(), options })) write({ uuid: message.uuid });
});
