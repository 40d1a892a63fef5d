import { createRequire } from "node:module";

// program returns the path of the program that npm has installed for this platform.
export function program() {
  const name = `@ccwire/${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "protogen.exe" : "protogen";
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    throw new Error(`${name} is not installed: npm was told to leave out optional dependencies, or there is none for this platform`, { cause });
  }
}
