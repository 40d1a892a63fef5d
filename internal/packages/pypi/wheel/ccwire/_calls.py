"""What goes with the name of a request, a hook event or a tool. The stub beside it has the types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._read import checked
from ._shapes import HOOK_OUTPUTS, REQUESTS, RESPONSES, TOOL_INPUTS, TOOL_RESULTS


class _Answers:
    """answer.can_use_tool(request_id, {...}) returns the line that answers a request of a subtype."""

    def __getattr__(self, subtype: str) -> Callable[..., dict[str, Any]]:
        if subtype not in REQUESTS:
            raise AttributeError(f"there is no request {subtype}")

        def success(request_id: str, response: Any = None) -> dict[str, Any]:
            answer = {"subtype": "success", "request_id": request_id}
            if subtype in RESPONSES:
                answer["response"] = checked(RESPONSES[subtype], response)
            return {"type": "control_response", "response": answer}

        return success


answer = _Answers()


def refuse(request_id: str, message: str) -> dict[str, Any]:
    """Returns the line that refuses a request, such as one of a subtype that is not known."""
    return {
        "type": "control_response",
        "response": {"subtype": "error", "request_id": request_id, "error": message},
    }


def response(subtype: str, value: Any) -> Any:
    """Returns what the answer to a request holds, checked. Of an unknown subtype it is any value."""
    return checked(RESPONSES.get(subtype, "any"), value)


def hook_output(event: str, value: Any) -> Any:
    """Returns the hookSpecificOutput of a hook event, checked."""
    return checked(HOOK_OUTPUTS.get(event, "any"), value)


def tool_input(tool: str, value: Any) -> Any:
    """Returns the input of a built-in tool, checked. That of another tool is any value."""
    return checked(TOOL_INPUTS.get(tool, "any"), value)


def tool_result(tool: str, value: Any) -> Any:
    """Returns the result of a built-in tool, the tool_use_result of a user line, checked."""
    return checked(TOOL_RESULTS.get(tool, "any"), value)
