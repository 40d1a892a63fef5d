"""The harness of a persistent parser, which takes an iterator of bytes and yields values."""

import json
import sys


def write(value):
    try:
        print(json.dumps(value))
    except RecursionError:  # nested so deep that it can be read but not written
        pass


def serve(parse):
    stdin = sys.stdin.buffer
    while stdin.peek(1):
        pieces = iter(lambda: stdin.read(int(stdin.readline())), b"")
        mark = "#end"
        try:
            for value in parse(pieces):
                if isinstance(value, dict):
                    write(value)
        except Exception as e:
            mark = f"#error {type(e).__name__}"
        for _ in pieces:
            pass
        print(mark, flush=True)
