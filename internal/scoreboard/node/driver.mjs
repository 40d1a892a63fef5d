// A driver of the official TypeScript SDK for protogen conform sdk; docs/drivers.md has the protocol.
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Prompts } from "./session.mjs";

function report(what, members) {
  process.stdout.write(JSON.stringify({ report: what, ...members }) + "\n");
}

let calls = 0;

// behave reports a call of a callback and does what the behavior says; what allow, deny, output and
// echo return is the caller's, in shapes.
async function behave(behavior, call, signal, shapes) {
  const n = ++calls;
  report("callback", { call: n, ...call });
  if (behavior.after_ms) await sleep(behavior.after_ms);
  switch (behavior.do) {
    case "nothing":
      // To canUseTool null says that the answer was sent by other means.
      return undefined;
    case "raise":
      throw new Error(behavior.message ?? "raised");
    case "hang":
      return new Promise(() => {});
    case "hang_until_cancelled":
      await new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", resolve)));
      report("cancelled", { call: n });
      return shapes.cancelled;
    default:
      return shapes[behavior.do]();
  }
}

function permission(behavior) {
  return (name, input, { signal, suggestions }) =>
    behave(behavior, { kind: "can_use_tool", name, input, suggestions }, signal, {
      allow: () => ({
        behavior: "allow",
        ...(behavior.updated_input && { updatedInput: behavior.updated_input }),
        ...(behavior.suggestions && { updatedPermissions: suggestions }),
      }),
      deny: () => ({ behavior: "deny", message: behavior.message ?? "denied" }),
      cancelled: { behavior: "deny", message: "cancelled" },
    });
}

function hook(behavior) {
  return (input, id, { signal }) =>
    behave(behavior, { kind: "hook", name: input.hook_event_name, input }, signal, { output: () => behavior.output ?? {}, cancelled: {} });
}

function server({ name, tools }) {
  const text = (text) => ({ content: [{ type: "text", text }] });
  return createSdkMcpServer({
    name,
    tools: tools.map((t) =>
      tool(t.name, "A tool.", { text: z.string() }, (input, { signal }) =>
        behave(t.behavior, { kind: "mcp_tool", name: t.name, input }, signal, { echo: () => text("echo: " + input.text), cancelled: text("cancelled") }),
      ),
    ),
  });
}

function configured({ cli, cwd, env, options: o = {} }) {
  const options = { pathToClaudeCodeExecutable: cli, cwd };
  if (env) options.env = { ...process.env, ...env };
  if (o.model) options.model = o.model;
  if (o.permission_mode) options.permissionMode = o.permission_mode;
  if (o.include_partial_messages) options.includePartialMessages = true;
  if (o.resume) options.resume = o.resume;
  if (o.system_prompt) options.systemPrompt = o.system_prompt;
  if (o.max_turns) options.maxTurns = o.max_turns;
  if (o.can_use_tool) options.canUseTool = permission(o.can_use_tool);
  for (const h of o.hooks ?? []) ((options.hooks ??= {})[h.event] ??= []).push({ matcher: h.matcher, hooks: [hook(h.behavior)] });
  for (const s of o.mcp_servers ?? []) (options.mcpServers ??= {})[s.name] = server(s);
  return options;
}

let session, prompts;

async function read({ count = Infinity, until }) {
  while (count-- > 0) {
    const { value, done } = await session.next();
    if (done) return report("end");
    const word = (w) => (typeof w === "string" ? w : undefined);
    report("message", { type: word(value?.type), subtype: word(value?.subtype), message: value ?? null });
    if (until === "result" && value?.type === "result") return;
  }
}

const commands = {
  async start(command) {
    const options = configured(command);
    prompts = new Prompts();
    session = query({ prompt: command.prompt ?? prompts, options });
    if (command.prompt === undefined) await session.initializationResult();
  },
  prompt: async ({ text }) => prompts.say(text),
  read,
  interrupt: () => session.interrupt(),
  set_model: ({ model }) => session.setModel(model),
  set_permission_mode: ({ mode }) => session.setPermissionMode(mode),
  mcp_status: () => session.mcpServerStatus(),
  close_input: async () => prompts.close(),
  close: async () => session?.close(),
};

async function run(command) {
  try {
    report("done", { id: command.id, value: await commands[command.command](command) });
  } catch (e) {
    report("error", { id: command.id, text: String(e?.message ?? e), exit_code: e?.exitCode, stderr: e?.stderr });
  }
}

const manifest = new URL("node_modules/@anthropic-ai/claude-agent-sdk/package.json", import.meta.url);
report("ready", {
  sdk: "claude-agent-sdk-typescript",
  version: JSON.parse(readFileSync(manifest)).version,
  features: [
    ...["session", "query", "can_use_tool", "hooks", "mcp_servers", "interrupt", "set_model", "set_permission_mode", "mcp_status", "resume"],
    ...["include_partial_messages", "close_input", "cancel", "nothing", "updated_permissions", "stderr", "exit_code"],
  ],
});
createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on("line", (line) => run(JSON.parse(line)))
  .on("close", () => process.exit(0));
