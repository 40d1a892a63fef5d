// Compiles only if tags narrow what is read, and if what is written has no misspelt member.
import {
  answer,
  check,
  readFromCLI,
  write,
  type FromCLI,
  type Hooks,
  type PermissionMode,
  type PermissionResult,
  type Requests,
  type ResultSuccess,
  type Tools,
  type UnknownContentBlock,
  type UnknownFromCLI,
  type User,
  type UserFromSDK,
} from "ccwire";

export function show(line: FromCLI): string {
  switch (line.type) {
    case "assistant": {
      for (const block of line.message.content) {
        switch (block.type) {
          case "text":
            return block.text satisfies string;
          case "tool_use":
            return block.name satisfies string;
        }
      }
      const unknown: unknown = line.no_such_member;
      return String(unknown);
    }
    case "system":
      return line.subtype === "init" ? line.tools.join() : line.subtype;
    case "result":
      if (line.subtype === "success") return (line satisfies ResultSuccess).result;
      return (line.errors ?? []).join();
    case "stream_event":
      return line.event.type === "content_block_delta" && line.event.delta.type === "text_delta" ? line.event.delta.text : "";
    case "control_request":
      console.log(line.request.no_such_member satisfies unknown);
      switch (line.request.subtype) {
        case "can_use_tool":
          return write(
            answer("can_use_tool", line.request_id, {
              behavior: "allow",
              updatedInput: line.request.input,
              updatedPermissions: line.request.permission_suggestions,
              toolUseID: line.request.tool_use_id,
            }),
          );
        case "hook_callback":
          return line.request.input.hook_event_name === "PreToolUse" ? line.request.input.tool_name : "";
      }
      return line.request.subtype;
    case "user":
    case "control_response":
    case "control_cancel_request":
    case "rate_limit_event":
      return "";
    default:
      return line.type;
  }
}

export function first(text: string): void {
  const { value, error } = readFromCLI(text);
  if (error) {
    console.log(error.path satisfies string, error.reason satisfies string);
  } else if (value.type === "assistant") {
    const [block] = value.message.content;
    if (block?.type !== "text") return;
    // @ts-expect-error: a block of text is not of the unknown arm
    block satisfies UnknownContentBlock;
  }
}

// @ts-expect-error: a line of the CLI that is not known is not written by naming it
export const future: UnknownFromCLI = { type: "assistant" };

export const mode: PermissionMode[] = ["plan", "one of tomorrow"];
export const response: Requests["can_use_tool"]["response"] = { behavior: "deny", message: "no" };
export const direction: Requests["initialize"]["direction"] = "sdk-to-cli";
export const output: Hooks["PreToolUse"]["output"] = { hookEventName: "PreToolUse", permissionDecision: "ask" };
export const command: string | undefined = check("BashInput", { command: "ls" }).value?.command;
export const input: Tools["Bash"]["input"] = { command: "ls" };
export const passedOn = (user: User): UserFromSDK => user;

// @ts-expect-error: updatedInputs
export const misspelt: PermissionResult = { behavior: "allow", updatedInput: {}, updatedInputs: {} };
// @ts-expect-error: updatedInputs
answer("can_use_tool", "1", { behavior: "allow", updatedInput: {}, updatedInputs: {} });
// @ts-expect-error: the request is not one of the CLI
answer("initialize", "1", {});
// @ts-expect-error: permissionDecisions
answer("hook_callback", "1", { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecisions: "deny" } });
// @ts-expect-error: contents
write({ type: "user", message: { role: "user", content: "hi", contents: "hi" } });
// @ts-expect-error: texts, deep inside
write({ type: "user", message: { role: "user", content: [{ type: "text", text: "hi", texts: "hi" }] } });
// @ts-expect-error: a member is missing
write({ type: "control_request", request_id: "1" });
// @ts-expect-error: a member is of another type
export const wrong: PermissionResult = { behavior: "deny", message: 7 };
