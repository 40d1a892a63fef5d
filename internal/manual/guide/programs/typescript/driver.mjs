// The half of the driver for conform sdk that knows sdk.ts.
import { called, serve } from "./ccwire-driver.mjs";
import { server } from "./mcp.js";
import { Session } from "./sdk.js";

function permission(behavior) {
  return (name, input, request, signal) =>
    called(behavior, { kind: "can_use_tool", name, input, suggestions: request.permission_suggestions }, signal, {
      allow: () => ({
        behavior: "allow",
        ...(behavior.updated_input && { updatedInput: behavior.updated_input }),
        ...(behavior.suggestions && { updatedPermissions: request.permission_suggestions }),
      }),
      deny: () => ({ behavior: "deny", message: behavior.message ?? "denied" }),
      cancelled: () => ({ behavior: "deny", message: "cancelled" }),
    });
}

function hook({ event, matcher, behavior }) {
  return {
    event,
    matcher,
    call: (input, signal) =>
      called(behavior, { kind: "hook", name: input.hook_event_name, input }, signal, {
        output: () => behavior.output ?? {},
        cancelled: () => ({}),
      }),
  };
}

function tool({ name, behavior }) {
  return {
    description: "A tool.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    call: (input, signal) =>
      called(behavior, { kind: "mcp_tool", name, input }, signal, { echo: () => "echo: " + input.text, cancelled: () => "cancelled" }),
  };
}

function servers(list) {
  return Object.fromEntries(list.map(({ name, tools }) => [name, server(name, Object.fromEntries(tools.map((t) => [t.name, tool(t)])))]));
}

function flags(o) {
  const values = { "--model": o.model, "--permission-mode": o.permission_mode, "--resume": o.resume };
  values["--allowed-tools"] = o.allowed_tools?.join(",");
  values["--disallowed-tools"] = o.disallowed_tools?.join(",");
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return [...(o.include_partial_messages ? ["--include-partial-messages"] : []), ...given.flat()];
}

function open({ cli, cwd, env, options = {} }) {
  const session = new Session({
    cli,
    cwd,
    env,
    args: flags(options),
    canUseTool: options.can_use_tool && permission(options.can_use_tool),
    hooks: options.hooks?.map(hook),
    servers: servers(options.mcp_servers ?? []),
  });
  const messages = session.messages();
  return {
    ready: () => session.open(),
    prompt: (text) => session.prompt(text),
    next: () => messages.next(),
    close_input: () => session.process.stdin.end(),
    close: () => session.close(),
    interrupt: () => session.request("interrupt"),
    set_model: (model) => session.request("set_model", { model }),
    set_permission_mode: (mode) => session.request("set_permission_mode", { mode }),
    mcp_status: () => session.request("mcp_status"),
  };
}

serve({
  sdk: "guide-typescript",
  version: "1.0.0",
  features: [
    ..."session can_use_tool hooks mcp_servers interrupt set_model set_permission_mode mcp_status resume".split(" "),
    ..."include_partial_messages close_input cancel nothing raise updated_input updated_permissions".split(" "),
    ..."stderr exit_code allowed_tools disallowed_tools cli_path sessions".split(" "),
  ],
  open,
});
