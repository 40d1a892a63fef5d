"""The fixtures for pytest, which finds them without configuration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Protocol, Unpack

import pytest

from .testing import Script, Simulated, simulated


class ClaudeSim(Protocol):
    """The type of the fixture claude_sim."""

    def __call__(self, *, check: bool = True, **script: Unpack[Script]) -> Simulated: ...


@pytest.fixture
def claude_sim() -> Iterator[ClaudeSim]:
    """Makes simulated CLIs: claude = claude_sim(turns=[{"text": "Hello."}]).

    Each plays its script. At the end of the test they are checked, and nothing of them is left.
    """
    with ExitStack() as stack:

        def make(*, check: bool = True, **script: Unpack[Script]) -> Simulated:
            return stack.enter_context(simulated(check=check, **script))

        yield make
