"""Sessions with the Claude Code CLI. Python 3.11, no dependencies."""

import asyncio
import contextlib
import json
import os
import uuid

LIMIT = 64 << 20  # bytes of one line


class CLIError(Exception):
    def __init__(self, text, exit_code=None, stderr=""):
        super().__init__(f"{text}\n{stderr}".strip())
        self.exit_code, self.stderr = exit_code, stderr


class Session:
    """async with Session() as s: await s.prompt("hi"), and read s.messages().

    can_use_tool(name, input, request) returns {"behavior": "allow"} or {"behavior": "deny", "message": …}.
    hooks is a list of (event, matcher or None, function of the input that returns an output).
    servers has a function for each name, from a JSON-RPC message to its answer; see server in mcp.py."""

    def __init__(self, cli="claude", cwd=None, env=None, args=(), can_use_tool=None, hooks=(), servers=None):
        self.args = [cli, "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
        self.args += ["--permission-prompt-tool", "stdio", *args]
        self.cwd, self.env = cwd, {**os.environ, **(env or {})}
        self.can_use_tool, self.hooks, self.servers = can_use_tool, list(hooks), servers or {}
        self.waiting = {}  # our requests, by id: a future for the response
        self.asked = {}  # the CLI's requests, by id: the task that answers
        self.inbox, self.stderr, self.failure = asyncio.Queue(), b"", None
        self.process, self.writing, self.busy = None, asyncio.Lock(), False

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self.args, cwd=self.cwd, env=self.env, stdin=pipe, stdout=pipe, stderr=pipe)
        self.tasks = [asyncio.create_task(self.read()), asyncio.create_task(self.read_stderr())]
        hooks = {}
        for i, (event, matcher, _) in enumerate(self.hooks):
            hooks.setdefault(event, []).append({"matcher": matcher, "hookCallbackIds": [str(i)]})
        try:
            self.capabilities = await self.request("initialize", hooks=hooks or None, sdkMcpServers=list(self.servers))
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def prompt(self, text):
        self.busy = True
        await self.write({"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": None, "session_id": ""})

    async def messages(self):
        """Yields every message until the CLI ends. A failure of the CLI is raised after them."""
        while (message := await self.inbox.get()) is not None:
            yield message
        self.inbox.put_nowait(None)  # for the next reader
        if self.failure:
            raise self.failure

    async def request(self, subtype, **members):
        """Sends a request (interrupt, set_model, mcp_status, …) and returns what the CLI answers."""
        if self.failure:
            raise self.failure
        self.waiting[id := str(uuid.uuid4())] = answer = asyncio.get_running_loop().create_future()
        try:
            await self.write({"type": "control_request", "request_id": id, "request": {"subtype": subtype, **members}})
            return await answer
        finally:
            del self.waiting[id]

    async def close(self):
        """Ends the CLI: it may finish by itself, is then asked to, and then killed."""
        for task in self.asked.values():
            task.cancel()
        self.process.stdin.close()
        for end in (None, self.process.terminate, self.process.kill):
            if end and self.process.returncode is None:
                end()
            try:
                await asyncio.wait_for(self.process.wait(), 2)
                break
            except TimeoutError:
                pass
        self.tasks[0].cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def write(self, frame):
        async with self.writing:
            self.process.stdin.write(json.dumps(frame).encode() + b"\n")
            await self.process.stdin.drain()

    async def read(self):
        problem = "the CLI ended"
        try:
            parts = []
            while data := await self.process.stdout.read(1 << 16):
                *ends, rest = data.split(b"\n")  # a line ends at a line feed alone
                for end in ends:
                    self.take(b"".join([*parts, end]))
                    parts = []
                parts.append(rest)
                if sum(map(len, parts)) > LIMIT:
                    problem = "a line of the CLI is too long"
                    self.process.kill()
                    break
            self.take(b"".join(parts))
            code = await asyncio.wait_for(self.process.wait(), 2)
            await asyncio.wait_for(self.tasks[1], 2)  # whoever has inherited stderr may keep it open
            if code != 0 or self.busy or self.waiting:
                self.failure = CLIError(f"{problem} with code {code}", code, self.stderr.decode(errors="replace"))
        except TimeoutError:
            self.failure = CLIError("the CLI has closed its stdout", None, self.stderr.decode(errors="replace"))
        finally:
            self.failure = self.failure or (CLIError("the session is closed") if self.waiting else None)
            for answer in self.waiting.values():
                if not answer.done():
                    answer.set_exception(self.failure)
            self.inbox.put_nowait(None)

    async def read_stderr(self):
        while data := await self.process.stderr.read(1 << 16):
            self.stderr = (self.stderr + data)[-(1 << 16) :]

    def take(self, line):
        try:
            frame = json.loads(line)
        except (ValueError, RecursionError):
            return  # noise, of a shell's profile for instance
        match frame:
            case {"type": "control_request", "request_id": str(id), "request": dict(request)}:
                self.asked[id] = asyncio.create_task(self.answer(id, request))
            case {"type": "control_cancel_request", "request_id": str(id)} if id in self.asked:
                self.asked.pop(id).cancel()
            case {"type": "control_response", "response": {"request_id": str(id), "subtype": subtype, **more}}:
                if (answer := self.waiting.get(id)) and not answer.done():
                    if subtype == "success":
                        answer.set_result(more.get("response"))
                    else:
                        answer.set_exception(CLIError(more.get("error", subtype)))
            case {"type": "control_request" | "control_cancel_request" | "control_response" | "keep_alive"}:
                pass
            case dict():
                self.busy = self.busy and frame.get("type") != "result"
                self.inbox.put_nowait(frame)

    async def answer(self, id, request):
        try:
            reply = {"subtype": "success", "response": await self.serve(request)}
        except Exception as e:
            reply = {"subtype": "error", "error": str(e) or repr(e)}
        if self.asked.pop(id, None):  # not taken back
            with contextlib.suppress(ConnectionError):  # the CLI has ended; messages says how
                await self.write({"type": "control_response", "response": {"request_id": id, **reply}})

    async def serve(self, request):
        match request:
            case {"subtype": "can_use_tool"} if not self.can_use_tool:
                return {"behavior": "deny", "message": "nobody can be asked"}
            case {"subtype": "can_use_tool", "tool_name": name, "input": input}:
                decision = await self.can_use_tool(name, input, request)
                return {"updatedInput": input, **decision} if decision["behavior"] == "allow" else decision
            case {"subtype": "hook_callback", "callback_id": str(id), "input": input} if id.isdecimal():
                return await self.hooks[int(id)][2](input) or {}
            case {"subtype": "mcp_message", "server_name": name, "message": message} if name in self.servers:
                return {"mcp_response": await self.servers[name](message)}
        raise CLIError(f"not served: {request.get('subtype')}")
