"""What readers raise."""

from __future__ import annotations


class Error(ValueError):
    """Text that is no line of the protocol."""

    path: str
    """The place as a JSON pointer: "/message/content/0/text", or "" for the whole line."""
    reason: str
    """What is wrong there."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.path = path
        self.reason = reason

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return Error, (self.path, self.reason)
