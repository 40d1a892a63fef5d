"""Plays one session with the official Python SDK: python sessions.py NAME CLI CWD"""

import asyncio
import sys

from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    InMemorySessionStore,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    create_sdk_mcp_server,
    query,
    tool,
)

name, cli, cwd = sys.argv[1:]


def check(ok, what):
    if not ok:
        raise SystemExit(what)


def options(**more):
    return ClaudeAgentOptions(cli_path=cli, cwd=cwd, permission_mode="default", **more)


async def result(client):
    """Reads until the turn is over."""
    last = None
    async for message in client.receive_response():
        last = message
    check(isinstance(last, ResultMessage), "the session ended before its result")
    return last


async def tools():
    heard = []

    def hook(output):
        async def callback(data, tool_use_id, context):
            heard.append(data["hook_event_name"])
            return output

        return [HookMatcher(hooks=[callback])]

    async def ask(tool_name, data, context):
        heard.append("ask " + tool_name)
        if tool_name == "Write":
            return PermissionResultAllow(updated_input={**data, "content": "ho"}, updated_permissions=context.suggestions)
        return PermissionResultDeny(message="not today")

    @tool("echo", "Says it again.", {"text": str})
    async def echo(args):
        return {"content": [{"type": "text", "text": "echo: " + args["text"]}]}

    more = options(
        include_partial_messages=True,
        session_store=InMemorySessionStore(),
        system_prompt={"type": "preset", "preset": "claude_code", "append": "Be brief."},
        agents={"helper": AgentDefinition(description="Helps.", prompt="Help.")},
        mcp_servers={"srv": create_sdk_mcp_server("srv", tools=[echo])},
        allowed_tools=["mcp__srv__echo"],
        can_use_tool=ask,
        hooks={
            "UserPromptSubmit": hook({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "It is noon."}}),
            "PreToolUse": hook({"continue_": True}),
            "PostToolUse": hook({}),
            "Stop": hook({}),
        },
    )
    async with ClaudeSDKClient(more) as client:
        await client.query("use the tools")
        first = await result(client)
        check(first.result == "Used.", f"the first result is {first.result}")
        status = await client.get_mcp_status()
        check(any(s["name"] == "srv" for s in status["mcpServers"]), "no server srv")
        await client.set_model("claude-sonnet-5-5")
        await client.set_permission_mode("acceptEdits")
        await client.get_context_usage()
        await client.query("once more")
        second = await result(client)
        check(second.result == "Again.", f"the second result is {second.result}")
    for event in ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "ask Write", "ask Bash"]:
        check(event in heard, "nothing heard of " + event)


async def interrupt():
    asked = asyncio.Event()

    async def ask(tool_name, data, context):
        asked.set()
        await asyncio.Event().wait()

    async with ClaudeSDKClient(options(can_use_tool=ask)) as client:
        await client.query("write a file")
        reading = asyncio.create_task(result(client))
        await asked.wait()
        await client.interrupt()
        check((await reading).is_error, "the interrupted turn is no error")
        await client.query("again")
        check((await result(client)).result == "Back.", "the session is not back")


async def store():
    kept = InMemorySessionStore()
    first = last = None
    async for message in query(prompt="remember this", options=options(session_store=kept)):
        first = message
    async for message in query(prompt="what was it", options=options(session_store=kept, resume=first.session_id, fork_session=True)):
        last = message
    check(last.result == "This.", f"the resumed session said {last.result}")


asyncio.run({"tools": tools, "interrupt": interrupt, "store": store}[name]())
