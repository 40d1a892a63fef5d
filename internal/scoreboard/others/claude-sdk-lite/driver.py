"""The half of a driver for protogen conform sdk that knows claude-sdk-lite, whose client gives
messages to a listener."""

import asyncio
from importlib import metadata

import claude_sdk_lite as sdk
from ccwire_driver import serve


class Listener(sdk.AsyncMessageEventListener):
    def __init__(self):
        self.heard = asyncio.Queue()

    async def on_message(self, message):
        self.heard.put_nowait(message)

    async def on_error(self, error):
        # Of a line that it cannot read the listener is told, and the next one is read.
        if not isinstance(error, (ValueError, sdk.MessageParseError)):
            self.heard.put_nowait(error)

    async def messages(self):
        while (message := await self.heard.get()) is not None:
            if isinstance(message, Exception):
                raise message
            yield message


class Session:
    def __init__(self, cli, cwd, env, options, prompt=None):
        names = {"model", "system_prompt", "max_turns", "permission_mode", "resume", "include_partial_messages"}
        given = {k: v for k, v in options.items() if k in names}
        given = sdk.ClaudeOptions(cli_path=cli, working_dir=cwd, env=env, **given)
        self.single = self.client = None
        if prompt is not None:
            self.single = sdk.async_query(prompt=prompt, options=given)
            return
        self.listener = Listener()
        self.client = sdk.AsyncClaudeClient(message_handler=self.listener, options=given)
        self.connect, self.interrupt = self.client.connect, self.client.interrupt

    async def prompt(self, text):
        await self.client.send_request(text)

    def messages(self):
        return self.single or self.listener.messages()

    async def close(self):
        if self.single:
            return await self.single.aclose()
        await self.client.disconnect()
        self.listener.heard.put_nowait(None)


def kind(message):
    if isinstance(message, sdk.StreamEvent):
        return "stream_event", None
    name = type(message).__name__.removesuffix("Message").lower()
    return getattr(message, "type", None) or name, getattr(message, "subtype", None)


features = ["session", "query", "interrupt", "resume", "include_partial_messages"]
serve(sdk="claude-sdk-lite", version=metadata.version("claude-sdk-lite"), features=features, open=Session, kind=kind)
