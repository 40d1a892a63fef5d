"""The fuzzer of parsers of lines, for a parser that is a function."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Literal

from ._program import program

Parser = Callable[[Iterator[bytes]], Iterable[Any]]


def fuzz_framing(
    parser: Parser,
    *,
    seconds: float = 30,
    seed: int = 1,
    frames: Literal["plain", "from-cli", "from-sdk"] = "plain",
) -> None:
    """Plays streams to a parser of lines, and raises AssertionError with what it finds.

    The parser gets the pieces of a stream and returns, or yields, the objects that are lines of
    it. docs/fuzz.md has the rules. It is called in a thread of its own. For a parser that takes
    only lines of the protocol, frames says whose.
    """
    kind = ["--frames", "plain"]
    if frames != "plain":
        kind = ["--frames", "protocol", "--direction", frames]
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_accept, args=(server, parser), daemon=True).start()
        port = str(server.getsockname()[1])
        done = subprocess.run(
            [program(), "fuzz", "framing", "--persistent", "--no-memory", "--color", "never"]
            + [*kind, "--seed", str(seed), "--time", f"{seconds}s", "--"]
            + [sys.executable, "-m", "ccwire._relay", port],
            capture_output=True,
            encoding="utf-8",
        )
    if done.returncode != 0:
        raise AssertionError((done.stdout + done.stderr).strip())


def _accept(server: socket.socket, parser: Parser) -> None:
    while True:
        try:
            peer, _ = server.accept()
        except OSError:  # the fuzzer is done
            return
        threading.Thread(target=_serve, args=(peer, parser), daemon=True).start()


def _serve(peer: socket.socket, parser: Parser) -> None:
    try:
        with peer, peer.makefile("rb") as source, peer.makefile("wb") as out:
            while source.peek(1):
                _play(source, out, parser)
    except OSError:  # the fuzzer has given up on the parser
        pass


def _play(source: BinaryIO, out: BinaryIO, parser: Parser) -> None:
    """Plays one stream: each piece comes after a line with its length, and 0 is the end."""
    pieces = iter(lambda: source.read(int(source.readline())), b"")
    try:
        for value in parser(pieces):
            out.write(json.dumps(value).encode() + b"\n")
        end = "#end"
    except Exception as err:  # whatever the parser raises is its failure
        end = f"#error {type(err).__name__}: {' '.join(str(err).split())}"
    for _ in pieces:
        pass
    out.write(end.encode("utf-8", "replace") + b"\n")
    out.flush()
