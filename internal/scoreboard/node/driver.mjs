// The half of a driver for protogen conform sdk that knows the official TypeScript SDK, in any of
// its releases; conformance/driver/kit/node has the core.
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { called, serve } from "./ccwire-driver.mjs";
import { Prompts } from "./session.mjs";

const manifest = new URL("node_modules/@anthropic-ai/claude-agent-sdk/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest));

// since says whether this release is that one or a later one.
function since(release) {
  const [a, b] = [version, release].map((v) => v.split(".").map(Number));
  const i = a.findIndex((n, i) => n !== b[i]);
  return i < 0 || a[i] > b[i];
}

function permission(behavior) {
  return (name, input, { signal, suggestions }) =>
    called(behavior, { kind: "can_use_tool", name, input, suggestions }, signal, {
      allow: () => ({
        behavior: "allow",
        // The types of older releases do not let it be absent.
        ...(!since("0.2.14") && { updatedInput: input }),
        ...(behavior.updated_input && { updatedInput: behavior.updated_input }),
        ...(behavior.suggestions && { updatedPermissions: suggestions }),
      }),
      deny: () => ({ behavior: "deny", message: behavior.message ?? "denied" }),
      cancelled: () => ({ behavior: "deny", message: "cancelled" }),
    });
}

function hook(behavior) {
  return (input, id, { signal }) =>
    called(behavior, { kind: "hook", name: input.hook_event_name, input }, signal, {
      output: () => behavior.output ?? {},
      cancelled: () => ({}),
    });
}

function server({ name, tools }) {
  const text = (text) => ({ content: [{ type: "text", text }] });
  return createSdkMcpServer({
    name,
    tools: tools.map((t) =>
      tool(t.name, "A tool.", { text: z.string() }, (input, { signal }) =>
        called(t.behavior, { kind: "mcp_tool", name: t.name, input }, signal, {
          echo: () => text("echo: " + input.text),
          cancelled: () => text("cancelled"),
        }),
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
  if (o.allowed_tools) options.allowedTools = o.allowed_tools;
  if (o.disallowed_tools) options.disallowedTools = o.disallowed_tools;
  if (o.can_use_tool) options.canUseTool = permission(o.can_use_tool);
  for (const h of o.hooks ?? []) ((options.hooks ??= {})[h.event] ??= []).push({ matcher: h.matcher, hooks: [hook(h.behavior)] });
  for (const s of o.mcp_servers ?? []) (options.mcpServers ??= {})[s.name] = server(s);
  return options;
}

function open(command) {
  const options = configured(command);
  const prompts = new Prompts();
  const abort = new AbortController();
  const q = query({ prompt: command.prompt ?? prompts, options: since("0.2.37") ? options : { ...options, abortController: abort } });
  return {
    ready: () => (q.initializationResult ? q.initializationResult() : q.supportedCommands()),
    prompt: (text) => prompts.say(text),
    next: () => q.next(),
    interrupt: () => q.interrupt(),
    set_model: (model) => q.setModel(model),
    set_permission_mode: (mode) => q.setPermissionMode(mode),
    mcp_status: () => q.mcpServerStatus(),
    close_input: () => prompts.close(),
    close: () => (q.close ? q.close() : abort.abort()),
  };
}

const features = [
  ...["session", "query", "can_use_tool", "hooks", "mcp_servers", "interrupt", "set_model", "set_permission_mode", "mcp_status", "resume"],
  ...["include_partial_messages", "close_input", "cancel", "nothing", "raise", "updated_input", "updated_permissions", "allowed_tools", "disallowed_tools", "cli_path", "sessions"],
  ...(since("0.3.213") ? ["stderr"] : []),
  ...(since("0.3.240") ? ["exit_code"] : []),
];
serve({ sdk: "claude-agent-sdk-typescript", version, features, open });
