"""The half of a driver for protogen conform sdk that knows the official Python SDK, in any of its
releases and in those of its predecessor; conformance/driver/kit/python has the core."""

import dataclasses
import os
from importlib import metadata

from ccwire_driver import called, serve

try:
    import claude_agent_sdk as sdk
except ImportError:
    import claude_code_sdk as sdk

package = sdk.__name__.replace("_", "-")
version = metadata.version(package)
Client = getattr(sdk, "ClaudeSDKClient", None)
Options = getattr(sdk, "ClaudeAgentOptions", None) or sdk.ClaudeCodeOptions
options_known = {f.name for f in dataclasses.fields(Options)}


def since(*release):
    return package == "claude-agent-sdk" and tuple(map(int, version.split("."))) >= release


def permission(behavior):
    async def callback(name, data, context):
        def allow():
            members = {"updated_input": behavior["updated_input"]} if "updated_input" in behavior else {}
            if behavior.get("suggestions"):
                members["updated_permissions"] = context.suggestions
            return sdk.PermissionResultAllow(**members)

        def deny():
            return sdk.PermissionResultDeny(message=behavior.get("message", "denied"))

        suggestions = [s.to_dict() if hasattr(s, "to_dict") else s for s in context.suggestions]
        return await called(behavior, {"allow": allow, "deny": deny}, kind="can_use_tool", name=name, input=data, suggestions=suggestions)

    return callback


def hook(behavior):
    safe = {"continue": "continue_", "async": "async_"} if since(0, 1, 2) else {}
    output = {safe.get(k, k): v for k, v in behavior.get("output", {}).items()}

    async def callback(data, tool_use_id, context):
        return await called(behavior, {"output": lambda: output}, kind="hook", name=data["hook_event_name"], input=data)

    return callback


def tool(name, behavior):
    async def callback(args):
        text = {"type": "text", "text": "echo: " + args["text"]}
        return await called(behavior, {"echo": lambda: {"content": [text]}}, kind="mcp_tool", name=name, input=args)

    return sdk.tool(name, "A tool.", {"text": str})(callback)


def configured(cli, cwd, env, options):
    given = {**options, "cwd": cwd, "cli_path": cli, "env": env}
    for h in given.pop("hooks", []):
        matcher = sdk.HookMatcher(matcher=h.get("matcher"), hooks=[hook(h["behavior"])])
        given.setdefault("hooks_by_event", {}).setdefault(h["event"], []).append(matcher)
    if "hooks_by_event" in given:
        given["hooks"] = given.pop("hooks_by_event")
    if "can_use_tool" in given:
        given["can_use_tool"] = permission(given["can_use_tool"])
    if "mcp_servers" in given:
        tools = {s["name"]: [tool(t["name"], t["behavior"]) for t in s["tools"]] for s in given["mcp_servers"]}
        given["mcp_servers"] = {name: sdk.create_sdk_mcp_server(name, tools=t) for name, t in tools.items()}
    if "env" not in options_known:  # nor "cli_path": the CLI is the first in the PATH
        os.environ.update(env)
    return Options(**{k: v for k, v in given.items() if k in options_known})


class Session:
    """A client, or the messages of the function for one prompt."""

    def __init__(self, prompt=None, **more):
        self.single = prompt is not None and sdk.query(prompt=prompt, options=configured(**more))
        self.client = client = prompt is None and Client(configured(**more))
        if client:
            self.connect, self.interrupt = client.connect, client.interrupt
        if hasattr(client, "set_model"):
            self.set_model, self.set_permission_mode = client.set_model, client.set_permission_mode
        self.mcp_status = getattr(client, "get_mcp_status", None)

    async def prompt(self, text):
        await self.client.query(text)

    def messages(self):
        return self.single or self.client.receive_messages()

    async def close(self):
        await (self.single.aclose() if self.single else self.client.disconnect())


kinds = {"SystemMessage": "system", "AssistantMessage": "assistant", "UserMessage": "user", "ResultMessage": "result"}
kinds |= {"StreamEvent": "stream_event", "RateLimitEvent": "rate_limit_event"}


def kind(message):
    names = (kinds.get(c.__name__) for c in type(message).__mro__)
    return next(filter(None, names), None), getattr(message, "subtype", None)


def start():
    features = ["query", "resume", "nothing", "stderr", "exit_code"] + ["session"] * (Client is not None)
    features += {"can_use_tool", "hooks", "include_partial_messages", "allowed_tools", "disallowed_tools", "cli_path"} & options_known
    features += ["sessions"] * (Client is not None)
    features += {"interrupt", "set_model", "set_permission_mode"} & set(dir(Client))
    features += ["mcp_status"] * hasattr(Client, "get_mcp_status") + ["mcp_servers"] * hasattr(sdk, "create_sdk_mcp_server")
    features += ["updated_input", "updated_permissions"] * hasattr(sdk, "PermissionResultAllow") + ["raise"] + ["cancel"] * since(0, 1, 52)
    serve(sdk=package + "-python", version=version, features=features, open=Session, kind=kind)


if __name__ == "__main__":
    start()
