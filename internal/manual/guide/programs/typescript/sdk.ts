// Sessions with the Claude Code CLI. Node.js 20, no dependencies.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export type Dict = Record<string, any>;
export type Decision = { behavior: "allow"; updatedInput?: Dict; updatedPermissions?: Dict[] } | { behavior: "deny"; message: string };
export type Hook = { event: string; matcher?: string; call: (input: Dict, signal: AbortSignal) => Promise<Dict | void> };
// A Server answers a message of JSON-RPC, see server in mcp.ts.
export type Server = (message: Dict, signal: AbortSignal) => Promise<Dict>;
export interface Options {
  cli?: string; cwd?: string; args?: string[]; env?: NodeJS.ProcessEnv; // how the CLI is started
  canUseTool?: (name: string, input: Dict, request: Dict, signal: AbortSignal) => Promise<Decision>;
  hooks?: Hook[];
  servers?: Record<string, Server>;
}

export class CLIError extends Error {
  constructor(text: string, readonly exitCode?: number | null, readonly stderr = "") {
    super(`${text}\n${stderr}`.trim());
  }
}

const LIMIT = 64 << 20, GRACE = 2000; // bytes of one line; milliseconds that the CLI has to end

// A Session is opened, prompted, read and closed.
export class Session {
  readonly process: ChildProcess;
  private waiting = new Map<string, { resolve: (value: any) => void; reject: (e: Error) => void }>(); // our requests
  private asked = new Map<string, AbortController>(); // those of the CLI
  private inbox: Dict[] = [];
  private wake = () => {}; // whoever waits for a message
  private stderr = Buffer.alloc(0);
  private busy = false; // a turn runs
  private over = false;
  private failure?: Error;
  private ended: Promise<void>;

  constructor(private options: Options = {}) {
    const { cli = "claude", cwd, env, args = [] } = options;
    const fixed = ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--permission-prompt-tool", "stdio"];
    this.process = spawn(cli, [...fixed, ...args], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
    this.process.stdin!.on("error", () => {}); // the CLI has ended; the reader says how
    this.process.stderr!.on("data", (data) => (this.stderr = Buffer.concat([this.stderr, data]).subarray(-(1 << 16))));
    const exit = new Promise<number | null>((resolve, reject) => this.process.on("exit", resolve).on("error", reject));
    exit.catch(() => {}); // read waits for it later
    this.ended = this.read(exit);
  }

  // open waits until the CLI is ready. What fails is thrown, and the session is closed.
  async open(): Promise<Dict> {
    const hooks: Dict = {};
    this.options.hooks?.forEach(({ event, matcher }, i) => (hooks[event] ??= []).push({ matcher, hookCallbackIds: [String(i)] }));
    const asked = this.request("initialize", { hooks, sdkMcpServers: Object.keys(this.options.servers ?? {}) });
    return asked.catch((e) => this.close().then(() => Promise.reject(e)));
  }

  prompt(text: string): void {
    this.busy = true;
    this.write({ type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" });
  }

  // messages gives every message until the CLI ends. A failure of the CLI is thrown after them.
  async *messages(): AsyncGenerator<Dict, void> {
    while (this.inbox.length > 0 || !this.over) {
      if (this.inbox.length > 0) yield this.inbox.shift()!;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.failure) throw this.failure;
  }

  // request sends a request (interrupt, set_model, mcp_status, …) and returns what the CLI answers.
  request(subtype: string, members: Dict = {}): Promise<any> {
    if (this.over) return Promise.reject(this.failure ?? new CLIError("the session is closed"));
    const request_id = randomUUID();
    return new Promise((resolve, reject) => {
      this.waiting.set(request_id, { resolve, reject });
      this.write({ type: "control_request", request_id, request: { subtype, ...members } });
    });
  }

  // close ends the CLI: it may finish by itself, is then asked to, and then killed.
  async close(): Promise<void> {
    for (const asked of this.asked.values()) asked.abort();
    this.process.stdin!.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await Promise.race([this.ended.then(() => true), sleep(GRACE, false, { ref: false })])) return;
      this.process.kill(signal);
    }
    await this.ended;
  }

  private write = (frame: Dict) => void this.process.stdin!.write(JSON.stringify(frame) + "\n");

  private async read(exit: Promise<number | null>): Promise<void> {
    let parts: Buffer[] = [], size = 0, problem = "the CLI ended";
    try {
      for await (let data of this.process.stdout!) {
        for (let end; (end = data.indexOf(10)) >= 0; data = data.subarray(end + 1)) { // a line feed alone ends a line
          this.take(Buffer.concat([...parts, data.subarray(0, end)]));
          [parts, size] = [[], 0];
        }
        parts.push(data);
        if ((size += data.length) > LIMIT) {
          problem = "a line of the CLI is too long";
          this.process.kill("SIGKILL");
          break;
        }
      }
      this.take(Buffer.concat(parts));
      const code = await Promise.race([exit, sleep(GRACE, undefined, { ref: false })]);
      if (code !== 0 || this.busy || this.waiting.size > 0) {
        await Promise.race([once(this.process.stderr!, "close"), sleep(100, undefined, { ref: false })]);
        problem = code === undefined ? "the CLI has closed its stdout" : `${problem}, code ${code}`;
        this.failure = new CLIError(problem, code, this.stderr.toString());
      }
    } catch (e) {
      this.failure = e as Error; // of the start
    }
    this.over = true;
    for (const { reject } of this.waiting.values()) reject(this.failure!);
    this.wake();
  }

  private take(line: Buffer): void {
    let frame: any = null; // stays so for noise, of a shell's profile for instance
    try { frame = JSON.parse(line.toString().replace(/^\uFEFF/, "")); } catch {}
    if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return;
    if (frame.type === "control_request") return void this.answer(frame.request_id, frame.request ?? {});
    if (frame.type === "control_cancel_request") {
      this.asked.get(frame.request_id)?.abort();
      this.asked.delete(frame.request_id);
    } else if (frame.type === "control_response") {
      const { request_id, subtype, response, error } = frame.response ?? {};
      const waits = this.waiting.get(request_id);
      this.waiting.delete(request_id);
      if (subtype === "success") waits?.resolve(response);
      else waits?.reject(new CLIError(error ?? subtype));
    } else if (frame.type !== "keep_alive") {
      if (frame.type === "result") this.busy = false;
      this.inbox.push(frame);
      this.wake();
    }
  }

  private async answer(request_id: string, request: Dict): Promise<void> {
    const control = new AbortController();
    this.asked.set(request_id, control);
    const success = (response: Dict) => ({ subtype: "success", response });
    const error = (e: any) => ({ subtype: "error", error: String(e?.message ?? e) });
    const reply = await this.serve(request, control.signal).then(success, error);
    if (this.asked.delete(request_id)) this.write({ type: "control_response", response: { request_id, ...reply } }); // not taken back
  }

  private async serve(request: Dict, signal: AbortSignal): Promise<Dict> {
    const { canUseTool, hooks = [], servers = {} } = this.options;
    switch (request.subtype) {
      case "can_use_tool": {
        if (!canUseTool) return { behavior: "deny", message: "nobody can be asked" };
        const decision = await canUseTool(request.tool_name, request.input, request, signal);
        return decision.behavior === "allow" ? { updatedInput: request.input, ...decision } : decision;
      }
      case "hook_callback":
        return (await hooks[Number(request.callback_id)].call(request.input, signal)) ?? {};
      case "mcp_message":
        if (!Object.hasOwn(servers, request.server_name)) break;
        return { mcp_response: await servers[request.server_name](request.message, signal) };
    }
    throw new CLIError(`not served: ${request.subtype}`);
  }
}
