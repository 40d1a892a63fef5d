import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./run.js";

// patience is how long a session may take to end, in milliseconds.
const patience = 10_000;

export async function simulated(script = {}, { flags = [] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "ccwire-"));
  try {
    const [file, cwd] = [join(folder, "script.json"), join(folder, "cwd")];
    await Promise.all([writeFile(file, JSON.stringify(script)), mkdir(cwd)]);
    const log = join(folder, "log.ndjson");
    const { code, stdout, stderr } = await run(["sim", "install", join(folder, "bin"), "--script", file, "--log", log, ...flags]);
    if (code !== 0) throw new Error(stderr.split("\n")[0]);
    return new Simulated(folder, stdout.trim(), cwd, log);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

class Simulated {
  #folder;
  #log;

  constructor(folder, path, cwd, log) {
    this.#folder = folder;
    this.#log = log;
    this.path = path;
    this.cwd = cwd;
  }

  async log() {
    let text;
    try {
      text = await readFile(this.#log, "utf8");
    } catch (error) {
      if (error.code === "ENOENT") return [];
      throw error;
    }
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    return whole.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  async check() {
    if (!(await this.#ended(patience))) throw new Error(`the simulated CLI: a session has not ended within ${patience / 1000} s`);
    const log = await this.log();
    const sessions = log.filter((entry) => entry.dir === "exit").length;
    const problems = sessions === 0 ? ["no session has ended"] : [];
    const unused = new Map(); // in how many sessions
    for (const { dir, line } of log) {
      if (dir === "unmatched") problems.push(line);
      if (dir === "unused") unused.set(line, (unused.get(line) ?? 0) + 1);
    }
    for (const [what, times] of unused) {
      if (times === sessions) problems.push(`${what} was never used`);
    }
    if (problems.length > 0) throw new Error(problems.map((problem) => `the simulated CLI: ${problem}`).join("\n"));
  }

  // close lets sessions end, ends those that do not, and removes all files.
  async close() {
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      if (await this.#ended(500)) break;
      for (const pid of await this.#running()) end(pid, signal);
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  // ended waits until no session runs. It returns whether that is so after that many milliseconds.
  async #ended(time) {
    for (const last = Date.now() + time; ; await sleep(10)) {
      if ((await this.#running()).length === 0) return true;
      if (Date.now() > last) return false;
    }
  }

  // running returns the ids of the processes that have not ended. The key of a session has its own.
  async #running() {
    const running = new Map();
    for (const { dir, key } of await this.log()) {
      if (dir === "header") running.set(key, Number.parseInt(key, 10));
      if (dir === "exit") running.delete(key);
    }
    return [...running.values()].filter((pid) => end(pid, 0));
  }
}

if (Symbol.asyncDispose) Simulated.prototype[Symbol.asyncDispose] = Simulated.prototype.close;

// end sends a signal to a process, and reports whether there is one.
function end(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
