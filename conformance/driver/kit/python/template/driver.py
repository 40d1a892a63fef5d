"""The half of the driver that knows the SDK. It works as it is, without an SDK: replace what says
REPLACE by calls of yours."""

import asyncio
import json
import os

from ccwire_driver import serve


class Session:
    # REPLACE: start your SDK with the CLI at cli, in cwd, with env and options; see ccwire_driver.py
    # for what a session may have, and call called from your callbacks.
    def __init__(self, cli, cwd, env, options):
        self.cli, self.cwd, self.env = cli, cwd, {**os.environ, **(env or {})}

    async def connect(self):
        pipe, limit = asyncio.subprocess.PIPE, 64 << 20
        args = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"]
        self.process = await asyncio.create_subprocess_exec(self.cli, *args, cwd=self.cwd, env=self.env, stdin=pipe, stdout=pipe, limit=limit)

    async def prompt(self, text):
        message = {"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": None, "session_id": ""}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        await self.process.stdin.drain()

    async def messages(self):
        async for line in self.process.stdout:
            yield json.loads(line)

    async def close(self):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


def kind(message):
    # REPLACE: the type and the subtype of a message of your SDK, as they are on the wire.
    return message.get("type"), message.get("subtype")


if __name__ == "__main__":
    # REPLACE: the name and the version of your SDK, and the features that its documentation promises.
    serve(sdk="my-sdk", version="0.0.0", features=["session"], open=Session, kind=kind)
