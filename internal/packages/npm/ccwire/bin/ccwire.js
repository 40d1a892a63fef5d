#!/usr/bin/env node
// Runs the program of the package that npm has installed for this platform.
import { spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";

const name = `@ccwire/${process.platform}-${process.arch}`;

function fail(message) {
  console.error(`ccwire: ${message}`);
  process.exit(2);
}

function program() {
  const file = process.platform === "win32" ? "protogen.exe" : "protogen";
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch {
    fail(`${name} is not installed: npm was told to leave out optional dependencies, or there is none for this platform`);
  }
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

run(program(), false);
