import { spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { program } from "../program.js";

// run runs the program to its end.
export function run(args) {
  return new Promise((resolve, reject) => start(args, resolve, reject));
}

function start(args, resolve, reject, last = false) {
  const child = spawn(program(), args, { stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (out[name] += text));
  child.on("error", (error) => {
    if (error.code !== "EACCES" || last) return reject(error);
    chmodSync(program(), 0o755); // some package managers lose the permission
    start(args, resolve, reject, true);
  });
  child.on("close", (code) => resolve({ code, ...out }));
}
