#!/usr/bin/env node
// Runs the program of the package that npm has installed for this platform.
import { spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { constants } from "node:os";
import { program } from "../program.js";

function fail(message) {
  console.error(`ccwire: ${message}`);
  process.exit(2);
}

function run(path, last) {
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  child.on("error", (error) => {
    if (error.code !== "EACCES" || last) fail(error.message);
    chmodSync(path, 0o755); // some package managers lose the permission
    run(path, true);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  // A terminal sends an interrupt to the program itself.
  const signals = process.stdin.isTTY ? ["SIGTERM", "SIGHUP"] : ["SIGTERM", "SIGHUP", "SIGINT"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  if (process.stdin.isTTY) process.on("SIGINT", () => {});
}

let path;
try {
  path = program();
} catch (error) {
  fail(error.message);
}
run(path, false);
