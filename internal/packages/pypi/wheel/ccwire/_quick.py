"""The quick check: a function for each shape, made when it is first needed.

It raises one of Wrong, KeyError and TypeError for what is not right, and for what needs a longer
look: legacy shapes, and whole numbers with a fraction of zero. It makes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import RLock
from typing import Any

from ._shapes import SHAPES

Check = Callable[[Any], None]


class Wrong(Exception):
    """A value is not right, or needs a longer look."""


_TYPES = {"str": "str", "bool": "bool", "int": "int", "obj": "dict"}

# The names that the code of checks uses: those of other shapes, and of sets of strings.
_names: dict[str, Any] = {"Wrong": Wrong}

_forms: dict[Any, Check] = {}

# One check is made at a time, so that sets get different names.
_making = RLock()


def quick(form: Any) -> Check:
    """Returns the check for a form."""
    check = _forms.get(form)
    if check is None:
        if form[0] == "@" and form[1:] not in SHAPES:
            raise LookupError(f"there is no type {form[1:]}")
        with _making:
            check = _forms[form] = _function("form", _lines(form, "v"))
    return check


def _function(name: str, lines: Iterator[str]) -> Check:
    body = "\n    ".join(lines) or "pass"
    scope: dict[str, Any] = {}
    exec(f"def {name}(v):\n    {body}", _names, scope)
    check: Check = scope[name]
    return check


def _shape(name: str) -> Check:
    """Makes the check for a shape, which takes the place of what calls this."""
    kind, *rest = SHAPES[name]
    with _making:
        if kind == "union":
            check = _union(*rest)
        elif kind == "struct":
            check = _function(name, _struct(*rest))
        else:
            check = _function(name, _lines("@" + name, "v"))
        _names[name] = check
    return check


def _known(name: str) -> str:
    """Returns a name, which stands for the check of a shape once it is called."""
    if name not in _names:

        def first(v: Any) -> None:
            _shape(name)(v)

        _names[name] = first
    return name


class _Arms(dict[str, Check]):
    """The checks of a union by the value of the tag, made when they are first needed."""

    def __init__(self, arms: Any, legacy: Any) -> None:
        self.legacy = legacy
        self.names: dict[str, str] = {v: name for name, values, how in arms if how != "legacy" for v in values}
        self.other: str | None = next((name for name, _, how in arms if how == "other"), None)

    def __missing__(self, tag: str) -> Check:
        name = self.names.get(tag)
        if name is not None:
            check = self[tag] = _shape(name)
            return check
        if self.other is None or type(tag) is not str or tag in self.legacy:
            raise Wrong
        _known(self.other)
        return _names[self.other]  # type: ignore[no-any-return]


def _union(tag: str, arms: Any, legacy: Any = ()) -> Check:
    table = _Arms(arms, legacy)

    def union(v: Any) -> None:
        if type(v) is not dict:
            raise Wrong
        table[v[tag]](v)

    return union


def _struct(
    required: dict[str, Any], optional: dict[str, Any], lacks: Any = (), patch: Any = None
) -> Iterator[str]:
    if patch is not None:  # a legacy shape
        yield "raise Wrong"
        return
    yield "if type(v) is not dict: raise Wrong"
    for name, form in required.items():
        yield f"x = v[{name!r}]"
        yield from _lines(form, "x")
    for name, form in optional.items():
        lines = list(_lines(form, "x"))
        if lines:
            yield f"if {name!r} in v:"
            yield f"    x = v[{name!r}]"
            yield from _indented(lines)


def _indented(lines: Any) -> Iterator[str]:
    for line in lines:
        yield "    " + line


def _lines(form: Any, x: str) -> Iterator[str]:
    """Yields the code that checks what is called x."""
    if isinstance(form, str):
        yield from _plain(form, x)
        return
    kind, inner = form[0], form[1]
    if kind == "?":
        yield from _nullable(inner, x)
    elif kind == "!":
        yield from _lines(inner, x)
        yield f"if {x} in {_set(form[2])}: raise Wrong"
    else:
        yield f"if type({x}) is not {'list' if kind == '[' else 'dict'}: raise Wrong"
        lines = list(_lines(inner, x + "_"))
        if lines:
            yield f"for {x}_ in {x if kind == '[' else x + '.values()'}:"
            yield from _indented(lines)


def _plain(form: str, x: str) -> Iterator[str]:
    if form in _TYPES:
        yield f"if type({x}) is not {_TYPES[form]}: raise Wrong"
    elif form == "num":
        yield f"if type({x}) is not float and type({x}) is not int: raise Wrong"
    elif form[0] == "=":
        yield f"if {x} != {form[1:]!r}: raise Wrong"
    elif form[0] == "@":
        name = form[1:]
        kind, *rest = SHAPES[name]
        if kind == "alias":
            yield from _lines(rest[0], x)
        elif kind == "enum":
            yield f"if {x} not in {_set(rest[0])}: raise Wrong"
        elif kind == "choice":
            yield from _choice(rest[0], x)
        else:
            yield f"{_known(name)}({x})"


def _nullable(form: Any, x: str) -> Iterator[str]:
    lines = list(_lines(form, x))
    if lines:
        yield f"if {x} is not None:"
        yield from _indented(lines)


def _choice(forms: Any, x: str) -> Iterator[str]:
    word = "if"
    for form in forms:
        yield f"{word} type({x}) is {python_type(form)}:"
        yield from _indented(_lines(form, x))
        word = "elif"
    yield "else: raise Wrong"


def python_type(form: Any) -> str:
    """Returns the Python type that the values of a form have."""
    while isinstance(form, str) and form[0] == "@":
        kind, *rest = SHAPES[form[1:]]
        if kind != "alias":
            return "str" if kind == "enum" else "dict"
        form = rest[0]
    if isinstance(form, tuple):
        return {"[": "list", "{": "dict", "!": "str"}[form[0]]
    return "str" if form[0] == "=" else "float" if form == "num" else _TYPES[form]


def _set(values: tuple[str, ...]) -> str:
    name = f"_set{len(_names)}"
    _names[name] = frozenset(values)
    return name
