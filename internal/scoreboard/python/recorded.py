"""Has a session with the CLI at CLAUDE_CLI, in the folder RECORDED_CWD, and writes what the official
Python SDK shows of it to RECORDED_OUT, one message on each line."""

import asyncio
import dataclasses
import json
import os

from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    create_sdk_mcp_server,
    tool,
)


def show(value):
    with open(os.environ["RECORDED_OUT"], "a") as out:
        out.write(json.dumps(value, default=shown) + "\n")


def shown(value):
    if dataclasses.is_dataclass(value):
        return {"class": type(value).__name__, **vars(value)}
    return str(value)


@tool("echo", "Says it again.", {"text": str})
async def echo(args):
    return {"content": [{"type": "text", "text": "echo: " + args["text"]}]}


async def ask(name, data, _context):
    show({"asked": name, "input": data})
    return PermissionResultAllow(updated_input=data) if name == "Write" else PermissionResultDeny(message="not today")


async def hook(data, _id, _context):
    show({"hook": data["hook_event_name"], "tool": data["tool_name"]})
    return {}


async def main():
    options = ClaudeAgentOptions(
        cli_path=os.environ["CLAUDE_CLI"],
        cwd=os.environ["RECORDED_CWD"],
        permission_mode="default",
        agents={"helper": AgentDefinition(description="Helps.", prompt="Help.")},
        mcp_servers={"srv": create_sdk_mcp_server("srv", tools=[echo])},
        allowed_tools=["mcp__srv__echo", "Bash"],
        hooks={"PostToolUse": [HookMatcher(hooks=[hook])]},
        can_use_tool=ask,
    )
    async with ClaudeSDKClient(options) as client:
        for prompt in ["use the tools", "once more", "and again"]:
            await client.query(prompt)
            async for message in client.receive_response():
                show(message)


asyncio.run(main())
