// Does what standard input asks the TypeScript SDK for, and prints what came of it.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const sdk = await import(pathToFileURL(process.argv[2] + "/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs"));

const info = (s) => s && {
  id: s.sessionId, summary: s.summary, title: s.customTitle ?? "", prompt: s.firstPrompt ?? "", tag: s.tag ?? "",
  dir: s.cwd ?? "", branch: s.gitBranch ?? "", created: s.createdAt ?? 0, modified: s.lastModified, size: s.fileSize,
};
const messages = (list) => list.map((m) => ({
  type: m.type, uuid: m.uuid, session: m.session_id, message: m.message ?? null,
  use: m.parent_tool_use_id ?? "", agent: m.parent_agent_id ?? "",
}));
const ops = {
  list: async (a) => (await sdk.listSessions({
    dir: a.dir || undefined, limit: a.limit || undefined, offset: a.skip || undefined,
    includeWorktrees: !a.noWorktrees, includeProgrammatic: !a.interactive,
  })).map(info),
  info: async (a) => info(await sdk.getSessionInfo(a.id, { dir: a.dir || undefined })) ?? null,
  messages: async (a) => messages(await sdk.getSessionMessages(a.id, {
    dir: a.dir || undefined, limit: a.limit || undefined, offset: a.skip || undefined, includeSystemMessages: a.system,
  })),
  subagents: (a) => sdk.listSubagents(a.id),
  subagent: async (a) => messages(await sdk.getSubagentMessages(a.id, a.agent)),
  rename: (a) => sdk.renameSession(a.id, a.text),
  tag: (a) => sdk.tagSession(a.id, a.text || null),
  fork: async (a) => (await sdk.forkSession(a.id, { upToMessageId: a.upTo || undefined, title: a.text || undefined })).sessionId,
  delete: (a) => sdk.deleteSession(a.id),
};

const results = [];
for (const ask of JSON.parse(readFileSync(0, "utf8"))) results.push((await ops[ask.op](ask)) ?? null);
console.log(JSON.stringify(results));
