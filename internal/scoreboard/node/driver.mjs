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

function permission(behavior, session) {
  return (name, input, { signal, suggestions }) =>
    behave(behavior, { session, kind: "can_use_tool", name, input, suggestions }, signal, {
      allow: () => ({
        behavior: "allow",
        ...(behavior.updated_input && { updatedInput: behavior.updated_input }),
        ...(behavior.suggestions && { updatedPermissions: suggestions }),
      }),
      deny: () => ({ behavior: "deny", message: behavior.message ?? "denied" }),
      cancelled: { behavior: "deny", message: "cancelled" },
    });
}

function hook(behavior, session) {
  return (input, id, { signal }) =>
    behave(behavior, { session, kind: "hook", name: input.hook_event_name, input }, signal, { output: () => behavior.output ?? {}, cancelled: {} });
}

function server({ name, tools }, session) {
  const text = (text) => ({ content: [{ type: "text", text }] });
  return createSdkMcpServer({
    name,
    tools: tools.map((t) =>
      tool(t.name, "A tool.", { text: z.string() }, (input, { signal }) =>
        behave(t.behavior, { session, kind: "mcp_tool", name: t.name, input }, signal, { echo: () => text("echo: " + input.text), cancelled: text("cancelled") }),
      ),
    ),
  });
}

function configured({ session, cli, cwd, env, options: o = {} }) {
  const options = { pathToClaudeCodeExecutable: cli, cwd };
  if (env) options.env = { ...process.env, ...env };
  if (o.model) options.model = o.model;
  if (o.permission_mode) options.permissionMode = o.permission_mode;
  if (o.include_partial_messages) options.includePartialMessages = true;
  if (o.resume) options.resume = o.resume;
  if (o.system_prompt) options.systemPrompt = o.system_prompt;
  if (o.max_turns) options.maxTurns = o.max_turns;
  if (o.allowed_tools) options.allowedTools = o.allowed_tools;
  if (o.disallowed_tools) options.disallowedTools = o.disallowed_tools;
  if (o.can_use_tool) options.canUseTool = permission(o.can_use_tool, session);
  for (const h of o.hooks ?? []) ((options.hooks ??= {})[h.event] ??= []).push({ matcher: h.matcher, hooks: [hook(h.behavior, session)] });
  for (const s of o.mcp_servers ?? []) (options.mcpServers ??= {})[s.name] = server(s, session);
  return options;
}

// sessions are a query and its prompts each, by name.
const sessions = new Map();
const open = (command) => sessions.get(command.session) ?? {};

async function read({ session, count = Infinity, until }) {
  const { query } = sessions.get(session);
  while (count-- > 0) {
    const { value, done } = await query.next();
    if (done) return report("end", { session });
    const word = (w) => (typeof w === "string" ? w : undefined);
    report("message", { session, type: word(value?.type), subtype: word(value?.subtype), message: value ?? null });
    if (until === "result" && value?.type === "result") return;
  }
}

const commands = {
  async start(command) {
    const options = configured(command);
    const prompts = new Prompts();
    const session = query({ prompt: command.prompt ?? prompts, options });
    sessions.set(command.session, { query: session, prompts });
    if (command.prompt === undefined) await session.initializationResult();
  },
  prompt: async (command) => open(command).prompts.say(command.text),
  read,
  interrupt: (command) => open(command).query.interrupt(),
  set_model: (command) => open(command).query.setModel(command.model),
  set_permission_mode: (command) => open(command).query.setPermissionMode(command.mode),
  mcp_status: (command) => open(command).query.mcpServerStatus(),
  close_input: async (command) => open(command).prompts.close(),
  close: async (command) => open(command).query?.close(),
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
    ...["allowed_tools", "disallowed_tools", "cli_path", "sessions"],
  ],
});
createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on("line", (line) => run(JSON.parse(line)))
  .on("close", () => process.exit(0));
