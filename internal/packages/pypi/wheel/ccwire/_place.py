"""Finds the place of what is wrong with the text itself. Nothing here need be quick."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from json import JSONDecoder
from typing import Any


def pointer(path: str, name: str) -> str:
    """Returns the JSON pointer of a member of what is at path."""
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"


def duplicate(text: str | bytes) -> str:
    """Returns the place of a member that an object of the text has twice."""
    found: list[tuple[dict[str, Any], str]] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in pairs:
            if name in made:
                found.append((made, name))
            else:
                made[name] = value
        return made

    value = _value(text, JSONDecoder(object_pairs_hook=members))
    if not found:  # the text is broken, too
        return ""
    owner, name = found[0]
    path = _find(value, lambda x: x is owner)
    return "" if path is None else pointer(path, name)


def broken_string(text: str | bytes) -> str:
    """Returns the place of a string that is no UTF-8."""
    value = _value(text, JSONDecoder())
    return _find(value, _is_broken) or ""


def _is_broken(value: Any) -> bool:
    return isinstance(value, str) and any("\udc80" <= c <= "\udcff" for c in value)


def _value(text: str | bytes, decoder: JSONDecoder) -> Any:
    if not isinstance(text, str):
        text = str(text, "utf-8", "surrogateescape")
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError):
        return None


def _find(value: Any, odd: Callable[[Any], bool], path: str = "") -> str | None:
    """Returns the place of the first part that is odd."""
    if odd(value):
        return path
    for name, part in _parts(value):
        found = _find(part, odd, pointer(path, name))
        if found is not None:
            return found
    return None


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    kind = type(value).__name__
    if kind == "dict":
        yield from value.items()
    elif kind == "list":
        for i, element in enumerate(value):
            yield str(i), element
