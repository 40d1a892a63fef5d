// The core of a driver for protogen conform sdk, to be copied beside the half that knows an SDK.
// It reads commands and writes reports; docs/drivers.md has the protocol. The half calls serve with
//
//   sdk, version, features   what the report ready says
//   open(command)            returns a session at once, and starts the CLI. The command has cli,
//                            cwd, env, options, and prompt if it is for the function for one prompt
//
// A session has next, which is that of an iterator over messages, and close. What it has no feature
// for can be absent:
//
//   ready()                  waits until a session without a prompt is initialised
//   prompt(text), close_input(), interrupt(), set_model(model), set_permission_mode(mode),
//   mcp_status()
//
// Its callbacks call called.
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

function report(what, members) {
  process.stdout.write(JSON.stringify({ report: what, ...members }) + "\n");
}

let calls = 0;

// called reports a call of a callback, {kind, name, input, suggestions}, and does what the behavior
// says. What allow, deny, output and echo return is made by the functions of these names in returns;
// cancelled is that of a callback whose signal was aborted.
export async function called(behavior, call, signal, returns) {
  const n = ++calls;
  report("callback", { session: behavior.session, call: n, ...call });
  if (behavior.after_ms) await sleep(behavior.after_ms);
  switch (behavior.do) {
    case "nothing":
      return undefined;
    case "raise":
      throw new Error(behavior.message ?? "raised");
    case "hang":
      return new Promise(() => {});
    case "hang_until_cancelled":
      await new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", resolve)));
      report("cancelled", { session: behavior.session, call: n });
      return returns.cancelled();
    default:
      return returns[behavior.do]();
  }
}

// Prompts is an input of a session for SDKs that take an iterable: what is said, until it is closed.
export class Prompts {
  waiting = [];
  wake = () => {};
  say(message) {
    this.waiting.push(message);
    this.wake();
  }
  close() {
    this.closed = true;
    this.wake();
  }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.waiting.length > 0) yield this.waiting.shift();
      if (this.closed) return;
      await new Promise((resolve) => (this.wake = resolve));
    }
  }
}

// mark notes the session that the callbacks of a start are of.
function mark({ session, options = {} }) {
  const tools = (options.mcp_servers ?? []).flatMap((s) => s.tools);
  for (const callback of [...(options.hooks ?? []), ...tools]) callback.behavior.session = session;
  if (options.can_use_tool) options.can_use_tool.session = session;
}

export function serve({ sdk, version, features, open }) {
  const sessions = new Map(); // by name; the one session has none
  const of = (command) => sessions.get(command.session) ?? {};
  const commands = {
    async start(command) {
      mark(command);
      const session = open(command);
      sessions.set(command.session, session);
      if (command.prompt === undefined) await session.ready?.();
    },
    prompt: (command) => of(command).prompt(command.text),
    async read({ session: name, count = Infinity, until }) {
      const session = sessions.get(name);
      while (count-- > 0) {
        const { value, done } = await session.next();
        if (done) return report("end", { session: name });
        const word = (w) => (typeof w === "string" ? w : undefined);
        report("message", { session: name, type: word(value?.type), subtype: word(value?.subtype), message: value ?? null });
        if (until === "result" && value?.type === "result") return;
      }
    },
    interrupt: (command) => of(command).interrupt(),
    set_model: (command) => of(command).set_model(command.model),
    set_permission_mode: (command) => of(command).set_permission_mode(command.mode),
    mcp_status: (command) => of(command).mcp_status(),
    close_input: (command) => of(command).close_input(),
    close: (command) => of(command).close?.(),
  };
  async function run(command) {
    try {
      report("done", { id: command.id, value: await commands[command.command](command) });
    } catch (e) {
      report("error", { id: command.id, text: String(e?.message ?? e), exit_code: e?.exitCode, stderr: e?.stderr });
    }
  }
  report("ready", { sdk, version, features });
  createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on("line", (line) => run(JSON.parse(line)))
    .on("close", () => process.exit(0));
}
