"""The half of the driver for conform sdk that knows sdk.py."""

from ccwire_driver import called, serve

from mcp import server
from sdk import Session


def permission(behavior):
    async def callback(name, data, request):
        def allow():
            answer = {"behavior": "allow"}
            if "updated_input" in behavior:
                answer["updatedInput"] = behavior["updated_input"]
            if behavior.get("suggestions"):
                answer["updatedPermissions"] = request["permission_suggestions"]
            return answer

        returns = {"allow": allow, "deny": lambda: {"behavior": "deny", "message": behavior.get("message", "denied")}}
        suggestions = request.get("permission_suggestions")
        return await called(behavior, returns, kind="can_use_tool", name=name, input=data, suggestions=suggestions)

    return callback


def hook(behavior):
    async def callback(data):
        returns = {"output": lambda: behavior.get("output", {})}
        return await called(behavior, returns, kind="hook", name=data["hook_event_name"], input=data)

    return callback


def tool(name, behavior):
    async def callback(data):
        returns = {"echo": lambda: "echo: " + data["text"]}
        return await called(behavior, returns, kind="mcp_tool", name=name, input=data)

    return "A tool.", {"type": "object", "properties": {"text": {"type": "string"}}}, callback


class Driven:
    """A session as the core of the driver uses it."""

    def __init__(self, cli, cwd, env, options):
        flags = {"model": "--model", "permission_mode": "--permission-mode", "resume": "--resume"}
        flags |= {"allowed_tools": "--allowed-tools", "disallowed_tools": "--disallowed-tools"}
        args = ["--include-partial-messages"] * bool(options.get("include_partial_messages"))
        for name in flags.keys() & options.keys():
            value = options[name]
            args += [flags[name], ",".join(value) if isinstance(value, list) else value]
        more = {}
        if "can_use_tool" in options:
            more["can_use_tool"] = permission(options["can_use_tool"])
        more["hooks"] = [(h["event"], h.get("matcher"), hook(h["behavior"])) for h in options.get("hooks", [])]
        servers = options.get("mcp_servers", [])
        tools = {s["name"]: {t["name"]: tool(t["name"], t["behavior"]) for t in s["tools"]} for s in servers}
        more["servers"] = {name: server(name, t) for name, t in tools.items()}
        self.session = s = Session(cli, cwd, env, args, **more)
        self.prompt, self.messages, self.close = s.prompt, s.messages, s.close

    async def connect(self):
        await self.session.__aenter__()

    async def close_input(self):
        self.session.process.stdin.close()

    async def interrupt(self):
        return await self.session.request("interrupt")

    async def set_model(self, model):
        return await self.session.request("set_model", model=model)

    async def set_permission_mode(self, mode):
        return await self.session.request("set_permission_mode", mode=mode)

    async def mcp_status(self):
        return await self.session.request("mcp_status")


features = """session can_use_tool hooks mcp_servers interrupt set_model set_permission_mode mcp_status resume
include_partial_messages close_input cancel nothing raise updated_input updated_permissions stderr exit_code
allowed_tools disallowed_tools cli_path sessions"""

if __name__ == "__main__":
    serve(
        sdk="guide-python",
        version="1.0.0",
        features=features.split(),
        open=Driven,
        kind=lambda message: (message.get("type"), message.get("subtype")),
    )
