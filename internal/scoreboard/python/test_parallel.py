"""Fifty tests at once on one simulated CLI, the one at PARALLEL_CLI."""

import asyncio
import os
import threading

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query


async def ask(cwd, prompt, **more):
    options = ClaudeAgentOptions(cli_path=os.environ["PARALLEL_CLI"], cwd=cwd, permission_mode="acceptEdits", **more)
    return [m async for m in query(prompt=prompt, options=options) if isinstance(m, ResultMessage)][-1]


async def check(cwd, n):
    first = await ask(cwd, f"write number {n}.")
    assert first.result == f"{n} is written."
    assert os.listdir(cwd) == ["n.txt"]
    assert (cwd / "n.txt").read_text() == str(n)
    if n % 10 == 0:
        assert (await ask(cwd, "go on", resume=first.session_id)).result == "The second part."


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """The tests, which run in one loop beside pytest."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    folders = {n: tmp_path_factory.mktemp(f"n{n}") for n in range(1, 51)}
    yield {n: asyncio.run_coroutine_threadsafe(check(folders[n], n), loop) for n in folders}
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.mark.parametrize("n", range(1, 51))
def test_number(running, n):
    running[n].result(timeout=120)
