"""Store any bytes as text that both databases keep, and read them back; other bytes go as base64 behind a marker."""

from __future__ import annotations

import base64
from typing import Final

MARKER: Final = "base64:"


def storable_body(raw: bytes) -> str:
    """Return a body as text, in base64 behind the marker if it is not UTF-8, has U+0000 or begins with the marker."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return _marked(raw)
    return _marked(raw) if "\0" in text or text.startswith(MARKER) else text


def raw_body(stored: str) -> bytes:
    """Return the exact bytes that `storable_body` was given."""
    return base64.b64decode(stored.removeprefix(MARKER)) if stored.startswith(MARKER) else stored.encode()


def _marked(raw: bytes) -> str:
    return MARKER + base64.b64encode(raw).decode()
