"""Parsers of NDJSON for the tests of package framing: correct ones, and some with a bug each.

Each takes an iterator of bytes and yields objects. The first argument names the parser. With
--persistent after it, the program reads many streams, each in pieces.
"""

import codecs
import io
import json
import re
import sys

LIMIT = 16 << 20


def lines(pieces, end=b"\n", limit=None):
    """Yields the lines of a stream, also the last one without its end."""
    parts = []
    for piece in pieces:
        *whole, rest = piece.split(end)
        for part in whole:
            parts.append(part)
            yield joined(parts, limit)
            parts = []
        parts.append(rest)
        joined(parts, limit)
    yield joined(parts, limit)


def joined(parts, limit):
    if limit and sum(map(len, parts)) > limit:
        raise ValueError("line too long")
    return b"".join(parts)


def bounded(pieces):
    """Yields the lines up to a limit, and holds no more of a longer one."""
    parts, size = [], 0
    for piece in pieces:
        while piece:
            part, lf, piece = piece.partition(b"\n")
            size += len(part)
            if size <= LIMIT:
                parts.append(part)
            else:
                parts = []
            if lf:
                if size <= LIMIT:
                    yield b"".join(parts)
                parts, size = [], 0
    if 0 < size <= LIMIT:
        yield b"".join(parts)


def read(line):
    """Returns the object that is a line, or None."""
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return frame if isinstance(frame, dict) else None


def objects(all_lines):
    for line in all_lines:
        frame = read(line)
        if frame is not None:
            yield frame


def correct(pieces):
    yield from objects(bounded(pieces))


def correct_text(pieces):
    """Decodes with a decoder that keeps half a character."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    encoded = (decoder.decode(p).encode("utf-8", "replace") for p in pieces)
    yield from objects(bounded(encoded))


def dies_at_noise(pieces):
    for line in lines(pieces):
        if line.strip():
            frame = json.loads(line)
            if isinstance(frame, dict):
                yield frame


def dies_at_values(pieces):
    for line in lines(pieces):
        try:
            frame = json.loads(line)
        except (ValueError, RecursionError):
            continue
        frame.get("n")
        yield frame


def stops_at_blank(pieces):
    for line in lines(pieces):
        if not line.strip():
            return
        frame = read(line)
        if frame is not None:
            yield frame


def stops_at_nul(pieces):
    for line in lines(pieces):
        if b"\0" in line:
            return
        frame = read(line)
        if frame is not None:
            yield frame


# What the dot of an expression is in JavaScript and Java: no end of a line, of which they know four.
DOT = "[^\n\r\u2028\u2029]"


def reads_latin_1(pieces):
    yield from objects(line.decode("latin-1") for line in bounded(pieces))


def reads_of_4096(pieces):
    """Takes each of its reads for whole lines."""
    for piece in pieces:
        for at in range(0, len(piece), 4096):
            yield from objects(piece[at:at + 4096].split(b"\n"))


def end_of_a_line_by_dots(pieces):
    text = b"".join(pieces).decode("utf-8", "replace") + "\n"
    yield from objects(re.findall(f"({DOT}*)\n", text))


def whole_line_by_dots(pieces):
    for line in b"".join(pieces).decode("utf-8", "replace").split("\n"):
        if re.fullmatch(f"{DOT}*", line):
            yield from objects([line])


def splits_text(pieces):
    for line in b"".join(pieces).decode("utf-8", "replace").splitlines():
        frame = read(line)
        if frame is not None:
            yield frame


def universal_newlines(pieces):
    text = io.TextIOWrapper(io.BytesIO(b"".join(pieces)), "utf-8", "replace")
    yield from objects(text)


def universal_and_noise(pieces):
    """Dies also of the parts of a frame with a carriage return."""
    for line in io.TextIOWrapper(io.BytesIO(b"".join(pieces)), "utf-8", "replace"):
        if line.strip():
            frame = json.loads(line)
            if isinstance(frame, dict):
                yield frame


def limit_1mib(pieces):
    yield from objects(lines(pieces, limit=1 << 20))


def loses_last(pieces):
    held = None
    for line in lines(pieces):
        if held is not None:
            frame = read(held)
            if frame is not None:
                yield frame
        held = line


def decodes_each_read(pieces):
    encoded = (p.decode("utf-8", "replace").encode() for p in pieces)
    yield from objects(lines(encoded))


def decodes_each_4096(pieces):
    def parts():
        for piece in pieces:
            for at in range(0, len(piece), 4096):
                yield piece[at:at + 4096].decode("utf-8", "replace").encode()

    yield from objects(lines(parts()))


def read_is_lines(pieces):
    for piece in pieces:
        yield from objects(piece.split(b"\n"))


def dies_at_invalid(pieces):
    for line in lines(pieces):
        frame = read(line.decode("utf-8"))
        if frame is not None:
            yield frame


def dies_of_depth(pieces):
    for line in lines(pieces):
        try:
            frame = json.loads(line)
        except ValueError:
            continue
        if isinstance(frame, dict):
            yield frame


def counts_braces(pieces):
    depth, part = 0, b""
    for line in lines(pieces):
        part += line
        depth += line.count(b"{") - line.count(b"}")
        if depth <= 0:
            frame = read(part)
            if frame is not None:
                yield frame
            depth, part = 0, b""


def values(pieces):
    decoder = json.JSONDecoder()
    for line in lines(pieces):
        text, at = line.decode("utf-8", "replace").strip(), 0
        while at < len(text):
            try:
                frame, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                break
            if isinstance(frame, dict):
                yield frame


def rounds(pieces):
    for frame in objects(lines(pieces)):
        yield {k: round(v, 6) if isinstance(v, float) else v for k, v in frame.items()}


def drops_repeats(pieces):
    before = None
    for frame in objects(lines(pieces)):
        if frame != before:
            yield frame
        before = frame


def u2028_and_last(pieces):
    held = None
    for line in lines(pieces):
        if held is not None:
            yield from objects(held.split("\u2028".encode()))
        held = line


def null_and_limit(pieces):
    for line in lines(pieces, limit=64 << 10):
        if line.strip() == b"null":
            raise TypeError("null")
        frame = read(line)
        if frame is not None:
            yield frame


def half_and_depth(pieces):
    """Dies of each line with a brace that is not JSON, and in another way of deep nesting."""
    for line in lines(pieces):
        if line.strip().startswith(b"{"):
            yield json.loads(line.decode("utf-8", "replace"))


def noise_and_depth(pieces):
    for line in lines(pieces):
        try:
            frame = json.loads(line) if line.strip() else None
        except ValueError:
            return
        if isinstance(frame, dict):
            yield frame


PARSERS = {name: f for name, f in list(globals().items()) if callable(f) and f.__module__ == __name__}


def main():
    parse, stdin = PARSERS[sys.argv[1]], sys.stdin.buffer
    if sys.argv[2:] != ["--persistent"]:
        for frame in parse(iter(lambda: stdin.read1(1 << 16), b"")):
            print(json.dumps(frame), flush=True)
        return
    while True:
        pieces = iter(lambda: stdin.read(int(stdin.readline())), b"")
        mark = "#end"
        try:
            for frame in parse(pieces):
                print(json.dumps(frame))
        except Exception as e:
            mark = f"#error {type(e).__name__}"
        for _ in pieces:
            pass
        print(mark, flush=True)


if __name__ == "__main__":
    main()
