// Each hook event of the official TypeScript SDK, in one session with the simulated CLI, or with
// the CLI in CCWIRE_REAL_CLI. CCWIRE_HOOKS is a folder with what the model says and the project.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { HOOK_EVENTS, query } from "@anthropic-ai/claude-agent-sdk";
import { Prompts, end, result } from "./session.mjs";

// unheard are the events that no callback gets, and why.
const unheard = {
  Setup: "raised by --init and --maintenance before the CLI reads initialize, so only hooks of settings see it",
  TeammateIdle: "raised for members of a team, which the CLI does not form without a terminal: an agent with a name is one in the background",
};

// heard are members of the first input of each event in a session in the folder cwd. A function
// judges the member.
const heard = (cwd) => ({
  PreToolUse: { tool_name: "Write", tool_input: { file_path: join(cwd, "a.txt"), content: "hi" }, tool_use_id: isText, permission_mode: "default" },
  PermissionRequest: { tool_name: "Write", permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }] },
  PostToolUse: { tool_name: "Write", tool_response: { type: "create", filePath: isText, content: "ho" }, tool_use_id: isText, duration_ms: isNumber },
  PostToolUseFailure: { tool_name: "Read", error: isText, is_interrupt: false, duration_ms: isNumber },
  PostToolBatch: { tool_calls: [{ tool_name: "Write", tool_use_id: isText, tool_response: isText }] },
  PermissionDenied: { tool_name: "Bash", tool_use_id: isText, reason: isText, permission_mode: "auto" },
  UserPromptExpansion: { expansion_type: "slash_command", command_name: "greet", command_args: "Ada", command_source: "projectSettings", prompt: "/greet Ada" },
  UserPromptSubmit: { prompt: "/greet Ada", permission_mode: "default" },
  MessageDisplay: { delta: "Hello.", index: 0, final: true, turn_id: isText, message_id: isText },
  Stop: { stop_hook_active: false, last_assistant_message: "Hello.", background_tasks: [], session_crons: [] },
  StopFailure: { error: isText, last_assistant_message: /broken/ },
  SubagentStart: { agent_id: isText, agent_type: "general-purpose" },
  SubagentStop: { agent_id: isText, agent_type: "general-purpose", agent_transcript_path: isText, last_assistant_message: "Sub done.", stop_hook_active: false },
  TaskCreated: { task_id: "1", task_subject: "first", task_description: "the first" },
  TaskCompleted: { task_id: "1", task_subject: "first", task_description: "the first" },
  Elicitation: { mcp_server_name: "local", message: "your name?", mode: "form", requested_schema: { type: "object" } },
  ElicitationResult: { mcp_server_name: "local", mode: "form", action: "accept", content: { name: "Ada" } },
  Notification: { notification_type: "elicitation_response", message: /accept/ },
  InstructionsLoaded: { file_path: join(cwd, "sub/CLAUDE.md"), memory_type: "Project", load_reason: "nested_traversal", trigger_file_path: join(cwd, "sub/note.txt") },
  ConfigChange: { source: "local_settings", file_path: join(cwd, ".claude/settings.local.json") },
  WorktreeCreate: { name: "apart" },
  WorktreeRemove: { worktree_path: join(cwd, "apart"), cwd: join(cwd, "apart") },
  CwdChanged: { old_cwd: cwd, new_cwd: join(cwd, "sub"), cwd: join(cwd, "sub") },
  PreModelSwitch: { requested_model: "sonnet", from_model: isText, to_model: /sonnet/, source: "sdk" },
  PostModelSwitch: { requested_model: "sonnet", from_model: isText, to_model: /sonnet/, source: "sdk" },
  DirectoryAdded: { directory: join(cwd, "other"), source: "register_repo_root" },
  PreCompact: { trigger: "manual", custom_instructions: "keep the numbers" },
  PostCompact: { trigger: "manual", compact_summary: /It was little/ },
  SessionStart: { source: "compact", model: isText },
  SessionEnd: { reason: "clear" },
  FileChanged: { file_path: join(cwd, "watched.txt"), event: "add" },
});

const isText = (v) => typeof v === "string" && v !== "";
const isNumber = (v) => typeof v === "number";

// fits asserts that a value has at least the members that are wanted.
function fits(got, want, at) {
  if (typeof want === "function") return assert.ok(want(got), `${at} is ${JSON.stringify(got)}`);
  if (want instanceof RegExp) return assert.match(got, want, at);
  if (typeof want !== "object") return assert.equal(got, want, at);
  if (Array.isArray(want)) assert.equal(got?.length, want.length, at);
  for (const [name, value] of Object.entries(want)) fits(got?.[name], value, `${at}.${name}`);
}

test("each hook event of the SDK is heard, or listed with the reason", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ccwire-hooks-")));
  const cwd = join(folder, "cwd");
  cpSync(join(process.env.CCWIRE_HOOKS, "project"), cwd, { recursive: true });
  const script = join(process.env.CCWIRE_HOOKS, "script.json");
  const cli = process.env.CCWIRE_REAL_CLI || execFileSync("protogen", ["sim", "install", join(folder, "bin"), "--script", script], { encoding: "utf8" }).trim();
  assert.deepEqual([...Object.keys(heard(cwd)), ...Object.keys(unheard)].sort(), [...HOOK_EVENTS].sort());

  const inputs = {};
  // The CLI looks for changes of files from time to time: these come when they come.
  const late = {};
  const changes = ["FileChanged", "ConfigChange"].map((event) => new Promise((resolve) => (late[event] = resolve)));
  const output = (event, input) => {
    if (event === "PreToolUse" && input.tool_input.file_path === join(cwd, "a.txt")) return { updatedInput: { ...input.tool_input, content: "ho" } };
    if (event === "WorktreeCreate") return { worktreePath: join(cwd, "apart") };
    if (event === "SessionStart" && input.source === "clear") return { watchPaths: [join(cwd, "watched.txt")] };
  };
  const hooks = {};
  for (const event of HOOK_EVENTS) hooks[event] = [{ hooks: [async (input) => {
    (inputs[event] ??= []).push(input);
    late[event]?.();
    const specific = output(event, input);
    return specific ? { hookSpecificOutput: { hookEventName: event, ...specific } } : {};
  }] }];
  const prompts = new Prompts();
  const q = query({
    prompt: prompts,
    options: {
      pathToClaudeCodeExecutable: cli, cwd, permissionMode: "default", hooks, settingSources: ["user", "project", "local"],
      env: { ...process.env, ANTHROPIC_API_KEY: "dummy", CLAUDE_CONFIG_DIR: join(folder, "config"), CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" },
      mcpServers: { local: { type: "stdio", command: join(cwd, "server.sh"), args: [] } },
      canUseTool: async (tool, input) => ({ behavior: "allow", updatedInput: input }),
      onElicitation: async () => ({ action: "accept", content: { name: "Ada" } }),
    },
  });
  const say = (text) => (prompts.say(text), result(q));
  try {
    assert.equal((await say("/greet Ada")).result, "Hello.");
    assert.equal((await say("use the tools")).result, "Used.");
    await q.setPermissionMode("auto");
    assert.equal((await say("run it")).result, "Denied.");
    await q.setPermissionMode("default");
    assert.match((await say("break it now")).result, /broken/);
    await q.setModel("sonnet");
    await q.request({ subtype: "register_repo_root", directory: join(cwd, "other") }); // Query has no method for it
    await say("/compact keep the numbers");
    await say("/clear");
    writeFileSync(join(cwd, "watched.txt"), "new");
    await Promise.all(changes);
    await end(q, prompts);
  } finally {
    q.close();
  }

  for (const event of Object.keys(unheard)) assert.equal(inputs[event], undefined, event);
  for (const [event, want] of Object.entries(heard(cwd))) {
    assert.ok(inputs[event], "nothing heard of " + event);
    for (const input of inputs[event]) fits(input, { hook_event_name: event, session_id: isText, transcript_path: isText, cwd: isText }, event);
    fits(inputs[event][0], want, event);
  }
});
