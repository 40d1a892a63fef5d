"""A driver of the official Python SDK for protogen conform sdk; docs/drivers.md has the protocol."""

import asyncio
import dataclasses
import itertools
import json
import os
import sys

import claude_agent_sdk as sdk

calls = itertools.count(1)


def report(what, **members):
    line = {"report": what, **{k: v for k, v in members.items() if v is not None}}
    sys.stdout.write(json.dumps(line, default=plain) + "\n")
    sys.stdout.flush()


def plain(value):
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else repr(value)


async def behave(behavior, returns, **call):
    """Reports a call of a callback and does what the behavior says; what allow, deny, output and
    echo return is the caller's."""
    number = next(calls)
    report("callback", call=number, **call)
    await asyncio.sleep(behavior.get("after_ms", 0) / 1000)
    match behavior["do"]:
        case "nothing":
            return None
        case "raise":
            raise RuntimeError(behavior.get("message", "raised"))
        case "hang":
            await asyncio.Event().wait()
        case "hang_until_cancelled":
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                report("cancelled", call=number)
                raise
        case do:
            return returns[do]()


def permission(behavior, session):
    async def callback(name, data, context):
        def allow():
            members = {"updated_input": behavior["updated_input"]} if "updated_input" in behavior else {}
            if behavior.get("suggestions"):
                members["updated_permissions"] = context.suggestions
            return sdk.PermissionResultAllow(**members)

        def deny():
            return sdk.PermissionResultDeny(message=behavior.get("message", "denied"))

        suggestions = [s.to_dict() for s in context.suggestions]
        return await behave(behavior, {"allow": allow, "deny": deny}, session=session, kind="can_use_tool", name=name, input=data, suggestions=suggestions)

    return callback


def hook(behavior, session):
    safe = {"continue": "continue_", "async": "async_"}
    output = {safe.get(k, k): v for k, v in behavior.get("output", {}).items()}

    async def callback(data, tool_use_id, context):
        return await behave(behavior, {"output": lambda: output}, session=session, kind="hook", name=data["hook_event_name"], input=data)

    return callback


def tool(name, behavior, session):
    @sdk.tool(name, "A tool.", {"text": str})
    async def callback(args):
        def echo():
            return {"content": [{"type": "text", "text": "echo: " + args["text"]}]}

        return await behave(behavior, {"echo": echo}, session=session, kind="mcp_tool", name=name, input=args)

    return callback


def configured(cli, cwd, env=None, options=None, session=None):
    given = dict(options or {})
    for h in given.pop("hooks", []):
        matcher = sdk.HookMatcher(matcher=h.get("matcher"), hooks=[hook(h["behavior"], session)])
        given.setdefault("_hooks", {}).setdefault(h["event"], []).append(matcher)
    if "_hooks" in given:
        given["hooks"] = given.pop("_hooks")
    if "can_use_tool" in given:
        given["can_use_tool"] = permission(given["can_use_tool"], session)
    if "mcp_servers" in given:
        given["mcp_servers"] = {
            s["name"]: sdk.create_sdk_mcp_server(s["name"], tools=[tool(t["name"], t["behavior"], session) for t in s["tools"]])
            for s in given["mcp_servers"]
        }
    return sdk.ClaudeAgentOptions(cli_path=cli, cwd=cwd, env=env or {}, **given)


class Session:
    """A client, or the messages of the function for one prompt."""

    client = messages = starting = reading = None

    def __init__(self, name):
        self.name = name

    async def start(self, prompt=None, **more):
        if prompt is not None:
            self.messages = sdk.query(prompt=prompt, options=configured(session=self.name, **more))
            return
        self.starting = asyncio.current_task()
        self.client = sdk.ClaudeSDKClient(configured(session=self.name, **more))
        await self.client.connect()

    async def prompt(self, text):
        await self.client.query(text)

    async def read(self, count=0, until=None):
        self.reading = asyncio.current_task()
        async for message in self.messages or self.client.receive_messages():
            report("message", session=self.name, type=kind(message), subtype=getattr(message, "subtype", None), message=message)
            count -= 1
            if count == 0 or (until == "result" and isinstance(message, sdk.ResultMessage)):
                return
        report("end", session=self.name)

    async def interrupt(self):
        return await self.client.interrupt()

    async def set_model(self, model):
        return await self.client.set_model(model)

    async def set_permission_mode(self, mode):
        return await self.client.set_permission_mode(mode)

    async def mcp_status(self):
        return await self.client.get_mcp_status()

    async def close(self):
        if self.messages:
            # Whoever reads is the only one who can end it.
            await given_up(self.reading)
            await self.messages.aclose()
        elif self.client:
            await given_up(self.starting)
            await self.client.disconnect()


async def given_up(task):
    if task and not task.done():
        task.cancel()
        await asyncio.wait([task])


def kind(message):
    kinds = {
        sdk.SystemMessage: "system",
        sdk.AssistantMessage: "assistant",
        sdk.UserMessage: "user",
        sdk.ResultMessage: "result",
        sdk.StreamEvent: "stream_event",
        sdk.RateLimitEvent: "rate_limit_event",
    }
    return next((k for c, k in kinds.items() if isinstance(message, c)), None)


async def run(session, id, command, **arguments):
    try:
        report("done", id=id, value=await getattr(session, command)(**arguments))
    except (Exception, asyncio.CancelledError) as e:
        report("error", id=id, text=str(e) or repr(e), exit_code=getattr(e, "exit_code", None), stderr=getattr(e, "stderr", None))


async def main():
    report(
        "ready",
        sdk="claude-agent-sdk-python",
        version=sdk.__version__,
        features="session query can_use_tool hooks mcp_servers interrupt set_model set_permission_mode mcp_status resume "
        "include_partial_messages cancel nothing updated_permissions stderr exit_code "
        "allowed_tools disallowed_tools cli_path sessions".split(),
    )
    sessions, tasks = {}, set()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        name = command.pop("session", None)
        session = sessions.setdefault(name, Session(name))
        task = loop.create_task(run(session, **command))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    os._exit(0)


def start():
    asyncio.run(main())


if __name__ == "__main__":
    start()
