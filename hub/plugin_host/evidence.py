"""What is known of a plugin process that died: what it noted before its last call, and what faulthandler wrote."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from hub.plugin_host.limits import NOTE_BYTES, NOTE_SEPARATOR
from hub.plugin_host.places import innermost

_FRAME: Final = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)


@frozen
class Evidence:
    """Whose code ran when a process ended: connector, distribution, which of its functions, where, and what happened.

    All but `text` may be empty.
    """

    connector: str
    distribution: str
    part: str
    place: str
    text: str


def evidence_in(notes: bytes, text: str, distribution: str = "") -> Evidence:
    """Return what the notes file of a process says about its end, which `text` states."""
    noted = notes[:NOTE_BYTES].split(b"\0", 1)[0].decode("utf-8", "replace").split(NOTE_SEPARATOR)
    connector, origin, part, place = noted if len(noted) == 4 else ("", "", "", "")
    return Evidence(connector, origin or distribution, part, _traced(notes[NOTE_BYTES:]) or place, text)


def _traced(trace: bytes) -> str:
    """Return the innermost place of a plugin's code in a trace, whose most recent call comes first."""
    frames = [(each["file"], int(each["line"])) for each in _FRAME.finditer(trace.decode("utf-8", "replace"))]
    return innermost(reversed(frames))
