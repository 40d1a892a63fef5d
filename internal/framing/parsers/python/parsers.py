"""Ways to read NDJSON in Python, as commands for the framing fuzzer: the argument names one.

Each takes a binary file and yields values.
"""

import io
import json
import sys

import jsonlines
import orjson

from persistent import serve


def reader(file):
    yield from jsonlines.Reader(io.TextIOWrapper(file, "utf-8"))


def skipping(file):
    yield from jsonlines.Reader(io.TextIOWrapper(file, "utf-8")).iter(type=dict, skip_empty=True, skip_invalid=True)


def orjson_loop(file):
    for line in file:
        try:
            yield orjson.loads(line)
        except orjson.JSONDecodeError:
            pass


def json_loop(file):
    for line in file:
        try:
            yield json.loads(line)
        except ValueError:
            pass


class Pieces(io.RawIOBase):
    """A file of which each read returns a piece, or what is left of it."""

    def __init__(self, pieces):
        self.pieces, self.piece = pieces, b""

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self.piece or memoryview(next(self.pieces, b""))
        n = min(len(buffer), len(piece))
        buffer[:n], self.piece = piece[:n], piece[n:]
        return n


parse = {"jsonlines": reader, "jsonlines-skip": skipping, "orjson": orjson_loop, "json": json_loop}[sys.argv[1]]
serve(lambda pieces: parse(io.BufferedReader(Pieces(pieces))))
