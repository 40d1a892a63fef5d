"""Mistakes, each in a line of its own, which checkers must find."""

import ccwire
from ccwire.testing import simulated
from ccwire.types import FromCLI, PermissionAllow, PermissionResult, PreToolUseOutput

allow: PermissionAllow = {"behavior": "allow", "updatedInputs": {}}  # wrong
result: PermissionResult = {"behavior": "allow", "updatedInputs": {}}  # wrong
other: PermissionResult = {"behavior": "perhaps"}  # wrong
deny: PermissionResult = {"behavior": "deny"}  # wrong
output: PreToolUseOutput = {"hookEventName": "PreToolUse", "permissionDecisions": "deny"}  # wrong
ccwire.answer.can_use_tool("1", {"behavior": "allow", "updatedInputs": {}})  # wrong
ccwire.answer.can_use_tools("1", {})  # wrong
ccwire.answer.hook_callback("1", {"continues": True})  # wrong


def read(line: FromCLI) -> None:
    if line["type"] == "assistent":  # wrong
        pass
    if line["type"] == "assistant":
        print(line["messages"])  # wrong
        print(line["message"]["content"][0]["text"])  # wrong


with simulated(turn=[]):  # wrong
    pass
