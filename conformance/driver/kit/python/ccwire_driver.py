"""The core of a driver for protogen conform sdk, to be copied beside the half that knows an SDK.

It reads commands and writes reports; docs/drivers.md has the protocol. The half calls serve with

sdk, version, features  what the report ready says
open                    returns a session: open(cli, cwd, env, options), and open(…, prompt) for the
                        function for one prompt
kind                    returns the type and the subtype of a message, as they are on the wire

A session has messages(), an asynchronous iterator, and close(). What it has no feature for can be
absent; all but messages are coroutines:

connect()               starts the CLI and waits until it is initialised
prompt(text), close_input(), interrupt(), set_model(model), set_permission_mode(mode), mcp_status()

What must be opened and closed by one task, as libraries on anyio demand, is: connect and close run
in one, and so do the reading and the closing of the messages of the function for one prompt. Its
callbacks call called."""

import asyncio
import dataclasses
import itertools
import json
import os
import sys

calls = itertools.count(1)


def report(what, **members):
    line = {"report": what, **{k: v for k, v in members.items() if v is not None}}
    sys.stdout.write(json.dumps(line, default=plain) + "\n")
    sys.stdout.flush()


def plain(value):
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else repr(value)


async def called(behavior, returns, **call):
    """Reports a call of a callback (kind, name, input, suggestions) and does what the behavior says.
    What allow, deny, output and echo return is made by the functions of these names in returns."""
    number = next(calls)
    report("callback", session=behavior.get("session"), call=number, **call)
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
                report("cancelled", session=behavior.get("session"), call=number)
                raise
        case do:
            return returns[do]()


class Owner:
    """A task that does one thing after the other."""

    def __init__(self):
        self.jobs, self.busy = asyncio.Queue(), False
        self.task = asyncio.get_running_loop().create_task(self.run())

    async def run(self):
        while True:
            try:
                job, done = await self.jobs.get()
            except asyncio.CancelledError:
                continue  # by a library that cancels the task that opened something
            self.busy = True
            try:
                done.set_result(await job)
            except (Exception, asyncio.CancelledError) as e:
                done.set_exception(e)
            self.busy = False

    async def do(self, job):
        done = asyncio.get_running_loop().create_future()
        self.jobs.put_nowait((job, done))
        return await done

    def give_up(self):
        if self.busy:
            self.task.cancel()


def behaviors(options):
    """Returns those of the callbacks that a start configures."""
    tools = [t for s in options.get("mcp_servers", []) for t in s["tools"]]
    of_one = [c["behavior"] for c in options.get("hooks", []) + tools]
    return of_one + ([options["can_use_tool"]] if "can_use_tool" in options else [])


class Driver:
    """A session, which has a name if there are several."""

    session = None

    def __init__(self, name, open, kind):
        self.name, self.open, self.kind, self.owner = name, open, kind, Owner()

    async def start(self, cli, cwd, env=None, options=None, prompt=None):
        for behavior in behaviors(options or {}):
            behavior["session"] = self.name
        self.single = prompt is not None
        more = {"prompt": prompt} if self.single else {}
        self.session = self.open(cli=cli, cwd=cwd, env=env or {}, options=options or {}, **more)
        if not self.single:
            await self.owner.do(self.session.connect())

    async def read(self, **bounds):
        await (self.owner.do(self.take(**bounds)) if self.single else self.take(**bounds))

    async def take(self, count=0, until=None):
        async for message in self.session.messages():
            type, subtype = self.kind(message)
            report("message", session=self.name, type=type, subtype=subtype, message=message)
            count -= 1
            if count == 0 or (until == "result" and type == "result"):
                return
        report("end", session=self.name)

    async def close(self):
        if self.session:
            self.owner.give_up()
            await self.owner.do(self.session.close())

    async def run(self, id, command, **arguments):
        own = getattr(self, command, None)
        try:
            value = await (own or getattr(self.session, command))(**arguments)
            report("done", id=id, value=value)
        except (Exception, asyncio.CancelledError) as e:
            members = {"exit_code": getattr(e, "exit_code", None), "stderr": getattr(e, "stderr", None)}
            report("error", id=id, text=str(e) or repr(e), **members)


def commands():
    """Returns the stream of commands. It is the standard input no more: a CLI that inherits that
    would read them."""
    stream, nothing = os.fdopen(os.dup(0)), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return stream


async def main(sdk, version, features, open, kind):
    given = commands()
    report("ready", sdk=sdk, version=version, features=features)
    drivers, tasks = {}, set()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, given.readline):
        command = json.loads(line)
        name = command.pop("session", None)
        if name not in drivers:
            drivers[name] = Driver(name, open, kind)
        task = loop.create_task(drivers[name].run(**command))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    os._exit(0)


def serve(**half):
    asyncio.run(main(**half))
