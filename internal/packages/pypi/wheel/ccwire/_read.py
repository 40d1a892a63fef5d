"""Readers: the text of a line becomes plain values that are of their type."""

from __future__ import annotations

from json import JSONDecodeError, JSONDecoder, JSONEncoder
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ._convert import converted
from ._error import Error
from ._place import broken_string, duplicate
from ._quick import Wrong, quick

if TYPE_CHECKING:
    from .types import FromCLI, FromSDK

T = TypeVar("T")


def read_from_cli(line: str | bytes) -> FromCLI:
    """Reads a line that the CLI has written. Raises Error if it is none."""
    value: FromCLI = _read(line, "FromCLI")
    return value


def read_from_sdk(line: str | bytes) -> FromSDK:
    """Reads a line that an SDK has written. Raises Error if it is none."""
    value: FromSDK = _read(line, "FromSDK")
    return value


@overload
def read_as(type: type[T], text: str | bytes) -> T: ...
@overload
def read_as(type: str, text: str | bytes) -> Any: ...
def read_as(type: Any, text: str | bytes) -> Any:
    """Reads text as a type of ccwire.types, or as the type of that name."""
    return _read(text, type if isinstance(type, str) else type.__name__)


def write(line: FromCLI | FromSDK) -> bytes:
    """Returns the text of a line with its line feed, in ASCII."""
    return _encode(line).encode("ascii") + b"\n"


# ensure_ascii, since half of a surrogate pair can be escaped only.
_encode = JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _Duplicate
    return members


class _Duplicate(Exception):
    """An object has a member twice."""


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


_decoder = JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number)


def _parse(text: str | bytes) -> Any:
    try:
        if not isinstance(text, str):
            text = str(text, "utf-8")
        if text[:1] == "{":  # decode looks for spaces with regular expressions
            value, end = _decoder.raw_decode(text)
            if text[end:] in ("", "\n"):
                return value
        return _decoder.decode(text)
    except _Duplicate:
        raise Error(duplicate(text), "duplicate member") from None
    except UnicodeDecodeError as err:
        raise Error(broken_string(text), f"invalid UTF-8 at byte {err.start}") from None
    except JSONDecodeError as err:
        raise Error("", f"invalid JSON at character {err.pos}: {err.msg}") from None
    except ValueError as err:
        raise Error("", str(err)) from None
    except RecursionError:
        raise Error("", "nested too deeply") from None


def _read(text: str | bytes, name: str) -> Any:
    return checked("@" + name, _parse(text))


def checked(form: Any, value: Any) -> Any:
    """Returns a value that is of a form of _shapes.py. Legacy shapes become their modern form."""
    # Most values are right, and a check that says no more is several times faster.
    try:
        quick(form)(value)
    except (Wrong, KeyError, TypeError):
        return converted(form, value, "")
    return value
