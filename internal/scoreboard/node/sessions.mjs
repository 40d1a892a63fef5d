// Plays one session with the official TypeScript SDK: node sessions.mjs NAME CLI CWD
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { Prompts, result } from "./session.mjs";

const [name, cli, cwd] = process.argv.slice(2);
const usual = { pathToClaudeCodeExecutable: cli, cwd, permissionMode: "default" };

function check(ok, what) {
  if (!ok) throw new Error(what);
}

// memory is a session store.
function memory() {
  const kept = new Map();
  const key = ({ projectKey, sessionId, subpath = "" }) => [projectKey, sessionId, subpath].join("|");
  const sessionStore = {
    append: async (k, entries) => void kept.set(key(k), [...(kept.get(key(k)) ?? []), ...entries]),
    load: async (k) => kept.get(key(k)) ?? null,
  };
  return { kept, sessionStore };
}

async function tools() {
  const { kept, sessionStore } = memory();
  const heard = [];
  const hook = (event, output = {}) => [{ hooks: [async () => (heard.push(event), output)] }];
  const echo = tool("echo", "Says it again.", { text: z.string() }, async ({ text }) => ({ content: [{ type: "text", text: "echo: " + text }] }));
  const prompts = new Prompts();
  const q = query({
    prompt: prompts,
    options: {
      ...usual,
      includePartialMessages: true,
      sessionStore,
      systemPrompt: { type: "preset", preset: "claude_code", append: "Be brief." },
      agents: { helper: { description: "Helps.", prompt: "Help." } },
      mcpServers: { srv: createSdkMcpServer({ name: "srv", tools: [echo] }) },
      allowedTools: ["mcp__srv__echo"],
      hooks: {
        UserPromptSubmit: hook("UserPromptSubmit", { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "It is noon." } }),
        PreToolUse: [{ matcher: "Write|Bash", hooks: [async () => (heard.push("PreToolUse"), {})], timeout: 60 }],
        PostToolUse: hook("PostToolUse"),
        Stop: hook("Stop"),
      },
      canUseTool: async (tool, input, { suggestions }) => {
        heard.push("ask " + tool);
        if (tool === "Write") return { behavior: "allow", updatedInput: { ...input, content: "ho" }, updatedPermissions: suggestions };
        return { behavior: "deny", message: "not today" };
      },
    },
  });
  prompts.say("use the tools");
  const first = await result(q);
  check(first.result === "Used.", "the first result is " + first.result);
  check((await q.supportedModels()).length > 0, "no models");
  check((await q.mcpServerStatus()).some((s) => s.name === "srv"), "no server srv");
  await q.setModel("claude-sonnet-5-5");
  await q.setPermissionMode("acceptEdits");
  await q.setMaxThinkingTokens(2000);
  await q.getContextUsage();
  prompts.say("once more");
  const second = await result(q);
  check(second.result === "Again.", "the second result is " + second.result);
  prompts.close();
  for await (const _ of q);
  check([...kept.keys()].some((k) => k.includes("subagents")), "the store has no subagent");
  for (const event of ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "ask Write", "ask Bash"]) check(heard.includes(event), "nothing heard of " + event);
}

async function interrupt() {
  const prompts = new Prompts();
  let aborted = false;
  const q = query({
    prompt: prompts,
    options: {
      ...usual,
      canUseTool: (tool, input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            resolve({ behavior: "deny", message: "gone" });
          });
          q.interrupt();
        }),
    },
  });
  prompts.say("write a file");
  check((await result(q)).is_error, "the interrupted turn is no error");
  check(aborted, "the callback was not aborted");
  prompts.say("again");
  check((await result(q)).result === "Back.", "the session is not back");
  prompts.close();
  for await (const _ of q);
}

async function store() {
  const { kept, sessionStore } = memory();
  let id;
  for await (const m of query({ prompt: "remember this", options: { ...usual, sessionStore } })) id = m.session_id ?? id;
  check(kept.size > 0, "the store is empty");
  let last;
  for await (const m of query({ prompt: "what was it", options: { ...usual, sessionStore, resume: id, forkSession: true } })) if (m.type === "result") last = m;
  check(last.result === "This.", "the resumed session said " + last.result);
}

await { tools, interrupt, store }[name]();
