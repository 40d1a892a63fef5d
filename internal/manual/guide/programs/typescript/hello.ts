import { type Decision, type Dict, Session } from "./sdk.js";

async function may(name: string, input: Dict): Promise<Decision> {
  if (name === "Write" && input.file_path.endsWith(".txt")) return { behavior: "allow" };
  return { behavior: "deny", message: "only text files, please" };
}

const session = new Session({ cli: process.argv[2], canUseTool: may, args: ["--permission-mode", "default"] });
await session.open();
session.prompt("Write a greeting to hello.txt.");
for await (const message of session.messages()) {
  if (message.type === "assistant") {
    for (const block of message.message.content) console.log(block.text ?? `[${block.name}]`);
  } else if (message.type === "result") {
    console.log(`${message.subtype}, ${message.num_turns} steps`);
    break;
  }
}
await session.close();
