import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.js";

const bridge = fileURLToPath(new URL("bridge.js", import.meta.url));

export async function fuzzFraming(parser, { time = 30_000, seed, frames, key } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "ccwire-"));
  const address = process.platform === "win32" ? `\\\\.\\pipe\\${folder.replaceAll("\\", "-")}` : join(folder, "socket");
  const open = new Set();
  const server = createServer((socket) => {
    open.add(socket.on("close", () => open.delete(socket)).on("error", () => {}));
    serve(socket, parser).catch((error) => socket.destroy(error));
  });
  try {
    await new Promise((resolve, reject) => server.once("error", reject).listen(address, resolve));
    const flags = ["--persistent", "--no-memory", "--json", "--time", `${time}ms`];
    if (seed !== undefined) flags.push("--seed", String(seed));
    if (frames !== undefined) flags.push("--frames", frames);
    if (key !== undefined) flags.push("--key", key);
    const { code, stdout, stderr } = await run(["fuzz", "framing", ...flags, "--", process.execPath, bridge, address]);
    if (!stdout) throw new Error(stderr.trim());
    const report = JSON.parse(stdout);
    if (code !== 0) throw Object.assign(new Error(problems(report, stderr)), { report });
    return report;
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function problems(report, stderr) {
  const found = (report.findings ?? []).map((finding) => `${finding.kind}: ${finding.detail}\nthe parser ${finding.behaviour}\nrule: ${finding.rule}`);
  return found.join("\n\n") || stderr.trim() || "not all streams were played: give it more time";
}

// text returns a frame as a line, or nothing if it is nested too deep to be written: good parsers
// may take such a frame or not.
function text(frame) {
  try {
    return `${JSON.stringify(frame)}\n`;
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

// serve gives the streams that come through a socket to the parser. docs/fuzz.md has the protocol.
async function serve(socket, parser) {
  const input = new Input(socket);
  while (await input.more()) {
    const pieces = input.stream();
    let end = "#end";
    let out = "";
    try {
      for await (const frame of parser(pieces)) {
        out += text(frame);
        if (out.length > 1 << 16) {
          socket.write(out);
          out = "";
        }
      }
    } catch (error) {
      end = `#error ${String(error).replaceAll("\n", " ")}`;
    }
    await input.skip();
    socket.write(`${out}${end}\n`);
  }
  socket.end();
}

// An Input cuts what comes through a socket into streams, and those into pieces.
class Input {
  #chunks;
  #rest = Buffer.alloc(0);
  #inStream = false;

  constructor(socket) {
    this.#chunks = socket[Symbol.asyncIterator]();
  }

  // more reports whether another stream comes.
  async more() {
    this.#inStream = this.#rest.length > 0 || (await this.#fill());
    return this.#inStream;
  }

  async #fill() {
    const { value, done } = await this.#chunks.next();
    if (!done) this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, value]) : value;
    return !done;
  }

  // piece returns the next piece of the stream, undefined at its end.
  async #piece() {
    if (!this.#inStream) return undefined;
    let end;
    while ((end = this.#rest.indexOf(10)) < 0) if (!(await this.#fill())) throw new Error("the stream has no end");
    const size = Number(this.#rest.subarray(0, end));
    this.#rest = this.#rest.subarray(end + 1);
    if (size === 0) {
      this.#inStream = false;
      return undefined;
    }
    const parts = [];
    let missing = size;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#fill())) throw new Error("the piece has no end");
      const part = this.#rest.subarray(0, missing);
      parts.push(part);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }

  async *stream() {
    for (let piece; (piece = await this.#piece()); ) yield piece;
  }

  // skip reads what the parser has left of the stream.
  async skip() {
    while (await this.#piece());
  }
}
