// Compiles only if type and subtype narrow a line: every assignment below is of a member that is
// unknown on the union.
import type { ControlResponses, FromCLI, FromSDK, HookOutputs, PermissionResult, ResultSuccess } from "./types.js";

export function answer(line: FromCLI): FromSDK | string | undefined {
  switch (line.type) {
    case "assistant": {
      for (const block of line.message.content) {
        if (block.type === "text") {
          const text: string = block.text;
          return text;
        }
      }
      return;
    }
    case "system": {
      if (line.subtype === "init") {
        const tools: string[] = line.tools;
        return tools.join();
      }
      return;
    }
    case "result": {
      if (line.subtype === "success") {
        const success: ResultSuccess = line;
        const result: string = success.result;
        return result;
      }
      return line.subtype satisfies
        | "error_during_execution"
        | "error_max_turns"
        | "error_max_budget_usd"
        | "error_max_structured_output_retries";
    }
    case "control_request": {
      const request = line.request;
      if (request.subtype === "can_use_tool") {
        const name: string = request.tool_name;
        const response: ControlResponses["can_use_tool"] = decide(name);
        return { type: "control_response", response: { subtype: "success", request_id: line.request_id, response } };
      }
      if (request.subtype === "hook_callback" && request.input.hook_event_name === "PreToolUse") {
        const name: string = request.input.tool_name;
        const specific: HookOutputs["PreToolUse"] = { hookEventName: "PreToolUse", permissionDecisionReason: name };
        const response: ControlResponses["hook_callback"] = { hookSpecificOutput: specific };
        return { type: "control_response", response: { subtype: "success", request_id: line.request_id, response } };
      }
      return;
    }
  }
}

function decide(name: string): PermissionResult {
  return name === "Bash" ? { behavior: "deny", message: "no shell" } : { behavior: "allow" };
}

// @ts-expect-error: a tag that the protocol does not have
export const unknownType: FromCLI = { type: "no_such_type" };
// @ts-expect-error: a member is missing
export const noRequest: FromSDK = { type: "control_request", request_id: "1" };
// @ts-expect-error: a member is of another type
export const badMessage: ControlResponses["can_use_tool"] = { behavior: "deny", message: 7 };
