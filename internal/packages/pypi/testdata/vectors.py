"""Reads the vectors as the types of their definitions: vectors.py FILE.

The first line of the file is the names of the types by definition. Prints what goes otherwise.
"""

import base64
import json
import sys

import ccwire

# The value lacks two members, and the other is named.
OTHER_PLACE = {"recording/sessions/2.1.325/undocumented-requests:21"}


def text(vector):
    if "value" in vector:
        return json.dumps(vector["value"])
    return vector["line"] if "line" in vector else base64.b64decode(vector["line_b64"])


def problem(vector, name):
    try:
        value = ccwire.read_as(name, text(vector))
    except ccwire.Error as err:
        if vector["valid"]:
            return f"it is valid, but: {err}"
        if err.path != vector.get("at", "") and vector["id"] not in OTHER_PLACE:
            return f"the error is {err}, want {vector['at']}: {vector['why']}"
        return None
    if not vector["valid"]:
        return f"it is read, but {vector['why']}"
    if "legacy" not in vector["definition"] and vector["source"] == "example" and value != vector["value"]:
        return f"it became {value}"
    return None


def frames(vector):
    """Reads a stream as the readers do, line by line."""
    stream = base64.b64decode(vector["stream_b64"]) if "stream_b64" in vector else vector["stream"].encode()
    found = {}
    for n, line in enumerate(stream.split(b"\n"), 1):
        try:
            found[n] = ccwire.read_as("PlainObject", line)
        except ccwire.Error:
            pass
    for frame in vector["frames"]:
        got = found.pop(frame["line"], None)
        if "value" in frame and got != frame["value"]:
            return f"line {frame['line']} is {got}"
    return f"there is nothing on {sorted(found)}" if found else None


def main():
    from ccwire._shapes import SHAPES

    SHAPES["PlainObject"] = ("alias", "obj")
    count = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        names = json.loads(next(file))
        next(file)
        for line in file:
            vector = json.loads(line)
            why = frames(vector) if vector["source"] == "framing" else problem(vector, names[vector["definition"]])
            if why:
                print(f"{vector['id']}: {why}")
            count += 1
    print(f"{count} vectors")


main()
