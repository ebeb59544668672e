"""What happened in a plugin's code, and where, as "hub_acme/translate.py:12"."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Final

LONGEST: Final = 300
"""A plugin's own words are cut to this many characters."""
FRAMES: Final = 200

_HUB: Final = str(Path(__file__).parent.parent)
_STANDARD: Final = sysconfig.get_path("stdlib")
_INSTALLED: Final = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}


def place(file: str, line: int) -> str:
    """Return a short name of a line of code: its file's last two parts and its number."""
    return f"{'/'.join(PurePath(file).parts[-2:])}:{line}"


def innermost(frames: Iterable[tuple[str, int]]) -> str:
    """Return the place of the last of these frames, outermost first, that is a plugin's own; "" if none is."""
    own = [place(file, line) for file, line in frames if _is_own(file)]
    return own[-1] if own else ""


def _is_own(file: str) -> bool:
    if file.startswith(("<", f"{_HUB}/")):
        return False
    return not file.startswith(f"{_STANDARD}/") or any(file.startswith(f"{each}/") for each in _INSTALLED)


def raised_at(fault: BaseException) -> str:
    """Return the innermost place of a plugin's code that an exception came through, "" if there is none."""
    frames = traceback.extract_tb(fault.__traceback__, limit=-FRAMES)
    return innermost((frame.filename, frame.lineno or 0) for frame in frames)


def said(fault: BaseException) -> str:
    """Return an exception's class and its own words, as one line of text that can be stored."""
    name = type(fault).__name__
    try:
        words = str(fault)
    except BaseException:  # noqa: BLE001 - a plugin's exception may do anything when it is asked for its text
        return name
    shown = "".join(each if each.isprintable() else " " for each in words[:LONGEST]).strip()
    return f"{name}: {shown}" if shown else name
