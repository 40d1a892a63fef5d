"""Reads recorded lines, and prints those that are not as the Go codec says: recorded.py FILE."""

import base64
import json
import sys

import ccwire
from ccwire import _convert


def arms(line, root):
    """Returns the names of the types that the line and its parts are of, by the long look."""
    names = set()
    look = _convert.converted

    def noted(form, value, path):
        out = look(form, value, path)
        if isinstance(form, str) and form[0] == "@" and isinstance(value, dict):
            names.add(form[1:])
        return out

    _convert.converted = noted
    try:
        noted("@" + root, json.loads(line), "")
    finally:
        _convert.converted = look
    return names


def body_problem(row):
    try:
        value = ccwire.response(row["answers"], row["body"])
    except ccwire.Error as err:
        return f"the answer is valid, but: {err}" if row["valid"] else None
    if not row["valid"]:
        return "the answer is read, but not valid"
    return None if value == row["body"] else f"the answer became {value}"


def problem(row):
    if "answers" in row:
        return body_problem(row)
    text = base64.b64decode(row["text"])
    read = ccwire.read_from_cli if row["cli"] else ccwire.read_from_sdk
    try:
        value = read(text)
    except ccwire.Error as err:
        return f"it is valid, but: {err}" if row["valid"] else None
    if not row["valid"]:
        return "it is read, but not valid"
    written = ccwire.write(value)
    if not written.endswith(b"\n") or b"\n" in written[:-1]:
        return f"it is written as {written}"
    if json.loads(written) != json.loads(row["want"]):
        return f"it is written as {written}, want {row['want']}"
    found = arms(written, "FromCLI" if row["cli"] else "FromSDK")
    for arm in row["arms"] or []:
        if arm not in found and not (arm.startswith("Unknown") and any(n.startswith("Unknown") for n in found)):
            return f"it is of {sorted(found)}, not of {arm}"
    return None


def main():
    valid = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        for n, line in enumerate(file, 1):
            row = json.loads(line)
            valid += row["valid"]
            if why := problem(row):
                print(f"{row['at']}: {why}")
    print(f"{n} lines, {valid} valid")


main()
