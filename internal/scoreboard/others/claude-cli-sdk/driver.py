"""The half of a driver for protogen conform sdk that knows claude-cli-sdk."""

from importlib import metadata

from ccwire_driver import serve
from claude_cli_sdk import Claude, ClaudeConfig, PermissionMode


class Session:
    def __init__(self, cli, cwd, env, options, prompt=None):
        given = {k: v for k, v in options.items() if k in ("model", "system_prompt", "max_turns")}
        mode = PermissionMode(options.get("permission_mode", "default"))
        self.client = Claude(ClaudeConfig(claude_path=cli, cwd=cwd, permission_mode=mode, **given))
        self.single = self.client.run_streaming(prompt) if prompt is not None else None
        self.connect = self.client.start_session

    async def prompt(self, text):
        await self.client.send_message(text)

    def messages(self):
        return self.single or self.client.read_stream()

    async def close(self):
        await self.client.close()


def kind(event):
    return event.type, event.data.get("subtype")


serve(
    sdk="claude-cli-sdk",
    version=metadata.version("claude-cli-sdk"),
    features=["session", "query"],
    open=Session,
    kind=kind,
)
