// Has a session with the CLI at CLAUDE_CLI, in the folder RECORDED_CWD, and writes what the official
// TypeScript SDK shows of it to RECORDED_OUT, one message on each line.
import { appendFileSync } from "node:fs";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { Prompts } from "./session.mjs";

const { CLAUDE_CLI: cli, RECORDED_CWD: cwd, RECORDED_OUT: out } = process.env;
const show = (message) => appendFileSync(out, JSON.stringify(message) + "\n");

const echo = tool("echo", "Says it again.", { text: z.string() }, async ({ text }) => ({ content: [{ type: "text", text: "echo: " + text }] }));
const prompts = new Prompts();
const q = query({
  prompt: prompts,
  options: {
    pathToClaudeCodeExecutable: cli,
    cwd,
    permissionMode: "default",
    includePartialMessages: true,
    agents: { helper: { description: "Helps.", prompt: "Help." } },
    mcpServers: { srv: createSdkMcpServer({ name: "srv", tools: [echo] }) },
    allowedTools: ["mcp__srv__echo", "Bash"],
    hooks: { PostToolUse: [{ hooks: [async (input) => (show({ hook: input.hook_event_name, tool: input.tool_name }), {})] }] },
    canUseTool: async (name, input) => {
      show({ asked: name, input });
      return name === "Write" ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: "not today" };
    },
  },
});
const texts = ["use the tools", "once more", "and again"];
prompts.say(texts.shift());
try {
  for await (const message of q) {
    show(message);
    if (message.type !== "result") continue;
    if (texts.length > 0) prompts.say(texts.shift());
    else prompts.close();
  }
} catch (err) {
  show({ error: String(err) });
}
