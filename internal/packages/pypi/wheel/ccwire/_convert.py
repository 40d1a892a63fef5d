"""The long look at a value: what is wrong and where, and the modern form of legacy shapes."""

from __future__ import annotations

import copy
import json
from typing import Any

from ._error import Error
from ._place import pointer
from ._quick import python_type
from ._shapes import SHAPES

_WANTED = {
    "str": "a string",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "list": "a list",
    "dict": "an object",
}


def converted(form: Any, value: Any, path: str) -> Any:
    """Returns the value in its modern form, or raises Error with the place."""
    if isinstance(form, str):
        return _plain(form, value, path)
    kind, inner = form[0], form[1]
    if kind == "?":
        return None if value is None else converted(inner, value, path)
    if kind == "!":
        if value in form[2]:
            raise Error(path, f"{value!r} belongs to another type")
        return converted(inner, value, path)
    if kind == "[":
        _is(value, list, path)
        return [converted(inner, x, f"{path}/{i}") for i, x in enumerate(value)]
    _is(value, dict, path)
    return {k: converted(inner, x, pointer(path, k)) for k, x in value.items()}


def _plain(form: str, value: Any, path: str) -> Any:
    if form == "any":
        return value
    if form[0] == "@":
        kind, *rest = SHAPES[form[1:]]
        return _KINDS[kind](value, path, *rest)
    if form[0] == "=":
        if value != form[1:]:
            raise Error(path, f"want {form[1:]!r}, got {_shown(value)}")
    elif form == "num":
        if type(value) is not int:
            _is(value, float, path)
    elif form == "int":
        if type(value) is not float or not value.is_integer():
            _is(value, int, path)
    else:
        _is(value, {"str": str, "bool": bool, "obj": dict}[form], path)
    return value


def _is(value: Any, kind: type, path: str) -> None:
    if type(value) is not kind:
        raise Error(path, f"want {_WANTED[kind.__name__]}, got {_shown(value)}")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _alias(value: Any, path: str, form: Any) -> Any:
    return converted(form, value, path)


def _enum(value: Any, path: str, values: tuple[str, ...]) -> Any:
    _is(value, str, path)
    if value not in values:
        raise Error(path, f"want one of {', '.join(values)}, got {_shown(value)}")
    return value


def _choice(value: Any, path: str, forms: tuple[Any, ...]) -> Any:
    kinds = [python_type(form) for form in forms]
    given = type(value).__name__
    for form, kind in zip(forms, kinds):
        if kind == given or {kind, given} == {"int", "float"}:
            return converted(form, value, path)
    raise Error(path, f"want {' or '.join(_WANTED[k] for k in kinds)}, got {_shown(value)}")


def _struct(
    value: Any,
    path: str,
    required: dict[str, Any],
    optional: dict[str, Any],
    lacks: tuple[str, ...] = (),
    patch: str = "null",
) -> Any:
    _is(value, dict, path)
    for name in required:
        if name not in value:
            raise Error(pointer(path, name), "missing")
    if lacks and all(name in value for name in lacks):
        raise Error(pointer(path, lacks[0]), "this legacy shape does not have it")
    forms = optional | required
    out = {k: converted(forms.get(k, "any"), x, pointer(path, k)) for k, x in value.items()}
    return _patched(out, json.loads(patch))


_Arms = tuple[tuple[str, tuple[str, ...], str], ...]


def _union(value: Any, path: str, tag: str, arms: _Arms, legacy: dict[str, str] | None = None) -> Any:
    try:
        return _arm(value, path, tag, arms, legacy or {})
    except Error:
        for name, _, how in arms:
            if how != "legacy":
                continue
            try:
                return converted("@" + name, value, path)
            except Error:
                pass
        raise


def _arm(value: Any, path: str, tag: str, arms: _Arms, legacy: dict[str, str]) -> Any:
    _is(value, dict, path)
    if tag not in value:
        raise Error(pointer(path, tag), "missing")
    _is(value[tag], str, pointer(path, tag))
    if value[tag] in legacy:
        try:
            return _arm(value | {tag: legacy[value[tag]]}, path, tag, arms, {})
        except Error:
            pass
    known = [name for name, values, how in arms if how != "legacy" and value[tag] in values]
    for name in known or [name for name, _, how in arms if how == "other"]:
        return converted("@" + name, value, path)
    raise Error(pointer(path, tag), f"unknown: {_shown(value[tag])}")


_KINDS: dict[str, Any] = {
    "alias": _alias,
    "choice": _choice,
    "enum": _enum,
    "struct": _struct,
    "union": _union,
}


def _patched(value: Any, patch: list[dict[str, Any]] | None) -> Any:
    """Applies a JSON Patch of add and move, which are all that schemas have."""
    if not patch:
        return value
    root = {"": copy.deepcopy(value)}
    for op in patch:
        new = op.get("value")
        if op["op"] == "move":
            parent, name = _place(root, op["from"])
            new = parent.pop(name)
        parent, name = _place(root, op["path"])
        parent[name] = copy.deepcopy(new)
    return root[""]


def _place(root: Any, pointer: str) -> tuple[Any, str]:
    *parents, name = pointer.split("/")
    for step in parents:
        root = root[step]
    return root, name
