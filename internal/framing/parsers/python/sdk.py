"""The framing of the official Python SDK, as a command for the framing fuzzer."""

import asyncio

import anyio
from anyio.streams.text import TextReceiveStream
from claude_agent_sdk import ClaudeAgentOptions
from claude_agent_sdk._internal.transport.subprocess_cli import SubprocessCLITransport

from persistent import serve


class Process:
    """A CLI that has written a stream, and ended well."""

    def __init__(self, pieces):
        self.pieces = pieces

    async def receive(self, max_bytes=65536):
        piece = next(self.pieces, b"")
        if not piece:
            raise anyio.EndOfStream
        return piece

    async def wait(self):
        return 0


def parse(pieces):
    transport = SubprocessCLITransport(prompt="", options=ClaudeAgentOptions(cli_path="claude"))
    transport._process = Process(pieces)
    transport._stdout_stream = TextReceiveStream(transport._process)
    messages = transport.read_messages()
    while True:
        try:
            yield loop.run_until_complete(anext(messages))
        except StopAsyncIteration:
            return


loop = asyncio.new_event_loop()
serve(parse)
