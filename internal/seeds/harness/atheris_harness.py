"""A harness for Atheris."""

import json
import sys

import atheris


@atheris.instrument_func
def parse(pieces):
    """A parser of lines. Put yours in its place."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield from frame(line)
    yield from frame(rest)


def frame(line):
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield json.dumps(value)


def test_one_input(data):
    whole = list(parse([data]))
    step = 1 + len(data) // 512
    pieces = list(parse(data[i : i + step] for i in range(0, len(data), step)))
    assert whole == pieces, (whole, pieces)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
