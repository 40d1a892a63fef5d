"""Each hook event of the official Python SDK, in one session with the simulated CLI, or with the
CLI in CCWIRE_REAL_CLI. CCWIRE_HOOKS is a folder with what the model says and the project."""

import asyncio
import os
import shutil
import subprocess
from pathlib import Path
from typing import get_args

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, HookMatcher, PermissionResultAllow
from claude_agent_sdk.types import HookEvent

# The events that no callback gets, and why. There are none.
UNHEARD: dict[str, str] = {}


def text(value):
    return isinstance(value, str) and value != ""


def heard(cwd):
    """Members of the first input of each event. A function judges the member."""
    return {
        "PreToolUse": {"tool_name": "Write", "tool_input": {"file_path": str(cwd / "a.txt"), "content": "hi"}, "tool_use_id": text},
        "PermissionRequest": {"tool_name": "Write", "permission_suggestions": lambda v: [s["type"] for s in v] == ["setMode"]},
        "PostToolUse": {"tool_name": "Write", "tool_response": {"type": "create", "content": "ho"}, "tool_use_id": text},
        "PostToolUseFailure": {"tool_name": "Read", "error": text, "is_interrupt": False},
        "UserPromptSubmit": {"prompt": "/greet Ada", "permission_mode": "default"},
        "Stop": {"stop_hook_active": False, "last_assistant_message": "Hello."},
        "SubagentStart": {"agent_id": text, "agent_type": "general-purpose"},
        "SubagentStop": {"agent_id": text, "agent_type": "general-purpose", "agent_transcript_path": text, "stop_hook_active": False},
        # The SDK does not answer what servers ask, which the CLI takes for a cancel.
        "Notification": {"notification_type": "elicitation_response", "message": lambda v: "cancel" in v},
        "PreCompact": {"trigger": "manual", "custom_instructions": "keep the numbers"},
    }


def fits(got, want):
    """Reports whether a value has at least the members that are wanted."""
    if callable(want):
        return want(got)
    if isinstance(want, dict):
        return isinstance(got, dict) and all(name in got and fits(got[name], value) for name, value in want.items())
    return got == want


def test_each_hook_event_of_the_sdk_is_heard_or_listed_with_the_reason(tmp_path):
    folder = Path(os.environ["CCWIRE_HOOKS"])
    cwd = tmp_path.resolve() / "cwd"
    shutil.copytree(folder / "project", cwd)
    install = ["protogen", "sim", "install", tmp_path / "bin", "--script", folder / "script.json"]
    cli = os.environ.get("CCWIRE_REAL_CLI") or subprocess.check_output(install, text=True).strip()
    events = [name for literal in get_args(HookEvent) for name in get_args(literal) or [literal]]
    assert sorted([*heard(cwd), *UNHEARD]) == sorted(events)
    inputs = {}

    async def hook(data, tool_use_id, context):
        event = data["hook_event_name"]
        inputs.setdefault(event, []).append(data)
        if event == "PreToolUse" and data["tool_input"].get("file_path") == str(cwd / "a.txt"):
            return {"hookSpecificOutput": {"hookEventName": event, "updatedInput": {**data["tool_input"], "content": "ho"}}}
        return {}

    async def ask(name, data, context):
        return PermissionResultAllow(updated_input=data)

    options = ClaudeAgentOptions(
        cli_path=cli,
        cwd=cwd,
        permission_mode="default",
        setting_sources=["user", "project", "local"],
        env={"ANTHROPIC_API_KEY": "dummy", "CLAUDE_CONFIG_DIR": str(tmp_path / "config"), "CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"},
        mcp_servers={"local": {"type": "stdio", "command": str(cwd / "server.sh"), "args": []}},
        hooks={event: [HookMatcher(hooks=[hook])] for event in events},
        can_use_tool=ask,
    )

    async def talk():
        async with ClaudeSDKClient(options) as client:
            results = []
            for prompt in ["/greet Ada", "use the tools", "/compact keep the numbers"]:
                await client.query(prompt)
                results.append([m async for m in client.receive_response()][-1].result)
            return results

    assert asyncio.run(talk())[:2] == ["Hello.", "Used."]
    for event, want in heard(cwd).items():
        assert event in inputs, "nothing heard of " + event
        for data in inputs[event]:
            assert fits(data, {"hook_event_name": event, "session_id": text, "transcript_path": text, "cwd": text}), data
        assert fits(inputs[event][0], want), inputs[event][0]
