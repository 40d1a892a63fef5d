"""Finds the command, which is installed with the scripts of the environment."""

import os
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata


def program() -> str:
    """Returns the path of the command ccwire that this package has brought."""
    name = "ccwire.exe" if sys.platform == "win32" else "ccwire"
    looked = list(dict.fromkeys(os.path.join(folder, name) for folder in _folders()))
    for path in looked:
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("the command ccwire is not installed; looked for " + ", ".join(looked))


def _folders() -> Iterator[str]:
    # What pip has written down is right for every scheme but --target.
    try:
        for file in metadata.files("ccwire") or ():
            if file.name in ("ccwire", "ccwire.exe") and file.parent.name in ("bin", "Scripts"):
                yield os.path.normpath(os.path.dirname(file.locate()))
    except metadata.PackageNotFoundError:
        pass
    yield os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin")  # --target
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user"))
