"""Helpers for tests: the simulated CLI, and the fuzzer of parsers of lines.

    with simulated(turns=[{"text": "Hello."}]) as claude:
        ...  # give claude.path to the SDK as the path of the CLI

With pytest, the fixture claude_sim does the same.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from ._fuzz import fuzz_framing
from ._program import program
from ._read import read_from_cli, read_from_sdk

if TYPE_CHECKING:
    from .types import FromCLI, FromSDK

__all__ = ["Script", "Simulated", "fuzz_framing", "program", "simulated"]


class Script(TypedDict, total=False):
    """What the simulated CLI plays; docs/simulated.md has each member."""

    turns: Sequence[Mapping[str, Any]]
    """What the model says, one turn for each time that it is asked."""
    default: Mapping[str, Any]
    """The turn for what no other is left for."""
    tools: Mapping[str, Any]
    """The results of tools that do not act, by name."""
    faults: Sequence[str]
    """How it misbehaves: NAME[=VALUE][@WHERE]."""
    strict: bool | str
    """Departures from the script are errors of the CLI, too."""
    virtual_time: bool
    """Pauses take no time."""
    templates: bool
    tools_anywhere: bool
    cli_version: str
    """The version of the CLI that is simulated."""


class Simulated:
    """A simulated CLI, which is a program of its own."""

    path: str
    """The path of the program, for the SDK: cli_path."""

    def __init__(self, folder: str, script: Script) -> None:
        self._log = os.path.join(folder, "log.ndjson")
        file = os.path.join(folder, "script.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(script, out)
        done = subprocess.run(
            [program(), "sim", "install", folder, "--script", file, "--log", self._log],
            capture_output=True,
            encoding="utf-8",
        )
        if done.returncode != 0:
            raise ValueError(done.stderr.strip())
        self.path = done.stdout.strip()

    @property
    def log(self) -> list[dict[str, Any]]:
        """What has happened so far in all sessions; docs/simulated.md has the members."""
        try:
            with open(self._log, encoding="utf-8") as file:
                return [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []

    @property
    def from_cli(self) -> list[FromCLI]:
        """The lines that the CLI has written so far."""
        return [read_from_cli(line) for line in self._lines("cli->sdk")]

    @property
    def from_sdk(self) -> list[FromSDK]:
        """The lines that the SDK has written so far. Raises Error if it wrote one that is none."""
        return [read_from_sdk(line) for line in self._lines("sdk->cli")]

    def _lines(self, direction: str) -> list[str]:
        return [e["line"] for e in self.log if e["dir"] == direction and e.get("line", "").strip()]

    def check(self) -> None:
        """Raises AssertionError if the sessions have departed from the script.

        That is if the user said what no turn was left for, or if no session has used a turn, the
        result of a tool or a fault. It counts the sessions that have ended.
        """
        log = self.log
        ended = sum(e["dir"] == "exit" for e in log)
        problems = [e["line"] for e in log if e["dir"] == "unmatched"]
        unused = Counter(e["line"] for e in log if e["dir"] == "unused")
        problems += [f"{what} was never used" for what, n in unused.items() if n == ended]
        if ended == 0:
            problems.append("no session has ended")
        if problems:
            raise AssertionError("the simulated CLI: " + "; ".join(problems))

    def close(self, patience: float = 5) -> None:
        """Waits until all sessions have ended, and ends those that go on."""
        until = time.monotonic() + patience
        while running := self._running():
            if time.monotonic() > until:
                for process in running:
                    os.kill(process, signal.SIGTERM)
                return
            time.sleep(0.01)

    def _running(self) -> list[int]:
        log = self.log
        ended = {e["key"] for e in log if e["dir"] == "exit"}
        begun = {e["key"] for e in log if e["dir"] == "header"}
        return [p for p in (int(key.split("-")[0]) for key in begun - ended) if _lives(p)]


def _lives(process: int) -> bool:
    if os.name == "nt":  # os.kill would end it
        listed = subprocess.run(
            ["tasklist", "/nh", "/fi", f"PID eq {process}"], capture_output=True, text=True
        )
        return str(process) in listed.stdout
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


@contextmanager
def simulated(*, check: bool = True, **script: Unpack[Script]) -> Generator[Simulated, None, None]:
    """Gives a simulated CLI that plays a script, checks it at the end, and leaves nothing behind.

    Sessions that have not ended at the end are waited for, then ended. Raises ValueError if the
    script is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="ccwire-", ignore_cleanup_errors=True) as folder:
        claude = Simulated(folder, script)
        try:
            yield claude
        finally:
            claude.close()
        if check:
            claude.check()
