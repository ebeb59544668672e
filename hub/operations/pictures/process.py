"""The process that decodes a picture somebody sent and writes it anew: `python -m` this, picture in, picture out.

A decoder is C code that reads what strangers wrote. So it runs where there is nothing to take: without the hub's
environment, bounded in memory, time and descriptors, and, where the kernel has Landlock, without any file.
"""

from __future__ import annotations

import io
import json
import resource
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from PIL import Image

from hub.domain.words import PictureType
from hub.kernel import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, set_process
from hub.plugin_runtime import landlock

MOST_BYTES: Final = 2 * 1024 * 1024
"""Of a picture as it is sent, and as it is kept."""
MOST_PIXELS: Final = 4_000_000
LONGEST_SIDE: Final = 4_000
FORMATS: Final[Mapping[str, PictureType]] = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
}
NO_PICTURE: Final = "It is not a PNG, JPEG or WebP picture, or a broken one."
_LIMITS: Final = (
    (resource.RLIMIT_AS, 1 << 29),
    (resource.RLIMIT_CPU, 5),
    (resource.RLIMIT_NOFILE, 16),
    (resource.RLIMIT_FSIZE, 0),
    (resource.RLIMIT_CORE, 0),
)


class NoPicture(Exception):
    """What was sent is no picture that is kept; its text is a sentence."""


def written_anew(sent: bytes) -> tuple[dict[str, str | int], bytes]:
    """Return what a picture is (`type`, `width`, `height`) and its pixels as a new file of the same format.

    Nothing but the pixels goes over: no camera's place and time, no text behind the end. The format is that of the
    content, whatever the file was called. Raise `NoPicture`.
    """
    try:
        with Image.open(io.BytesIO(sent), formats=tuple(FORMATS)) as opened:
            width, height = opened.size
            if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
                raise NoPicture(
                    f"It has {width} by {height} pixels; send at most {LONGEST_SIDE:,} a side and "
                    f"{MOST_PIXELS // 1_000_000} million in all."
                )
            if getattr(opened, "n_frames", 1) > 1:
                raise NoPicture("It is animated; send a still picture.")
            kind = str(opened.format)
            plain = _pixels(opened, kind)
    except NoPicture:
        raise
    except Exception as fault:
        raise NoPicture(NO_PICTURE) from fault
    file = io.BytesIO()
    plain.save(file, kind, **({"optimize": True} if kind == "PNG" else {"quality": 88}))
    if file.tell() > MOST_BYTES:
        raise NoPicture(f"Re-encoded, it has more than {MOST_BYTES // 1_048_576} MiB; send a smaller one.")
    return {"type": FORMATS[kind], "width": width, "height": height}, file.getvalue()


def _pixels(opened: Image.Image, kind: str) -> Image.Image:
    """Return the pixels alone, in colours that every browser shows."""
    transparent = kind != "JPEG" and (opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info)
    shown = opened.convert("RGBA" if transparent else "RGB")
    plain = Image.new(shown.mode, shown.size)
    plain.paste(shown)
    return plain


def close_in() -> None:
    """Give up what a decoder needs not: memory and time without bound, files, other programs.

    A picture of each format is written first, since the library loads some of its own files only then.
    """
    for form in FORMATS:
        dot = io.BytesIO()
        Image.new("RGB", (1, 1)).save(dot, form)
        written_anew(dot.getvalue())
    for limit, most in _LIMITS:
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))
    with suppress(OSError):
        set_process(PR_SET_NO_NEW_PRIVS, 1)
        landlock.confine(())
    with suppress(OSError):
        set_process(PR_SET_DUMPABLE, 0)


def main() -> None:
    """Read a picture from standard input; write a line of JSON, and the new picture behind it."""
    close_in()
    try:
        about, picture = written_anew(sys.stdin.buffer.read(MOST_BYTES + 1))
    except NoPicture as fault:
        about, picture = {"fault": str(fault)}, b""
    sys.stdout.buffer.write(json.dumps(about).encode() + b"\n" + picture)


if __name__ == "__main__":
    main()
