"""The stream-json protocol of the Claude Code CLI: types, readers, and a simulated CLI for tests.

    for line in process.stdout:
        message = ccwire.read_from_cli(line)
        if message["type"] == "assistant":
            ...

ccwire.types has the types of lines and of their parts, ccwire.testing the helpers for tests.
"""

from ._calls import answer, hook_output, refuse, response, tool_input, tool_result
from ._error import Error
from ._read import read_as, read_from_cli, read_from_sdk, write

__all__ = [
    "Error",
    "answer",
    "hook_output",
    "read_as",
    "read_from_cli",
    "read_from_sdk",
    "refuse",
    "response",
    "tool_input",
    "tool_result",
    "write",
]
