"""Whether words can be read: the contrast of colours by WCAG 2.2 (1.4.3), and a network's accent in both themes."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

READABLE: Final = 4.5
LIGHT: Final = {"paper": "#f6f2ea", "card": "#fffdf8", "sunk": "#efe9dd", "ink": "#23302c", "soft": "#56615c"}
DARK: Final = {"paper": "#161d1a", "card": "#1e2723", "sunk": "#121815", "ink": "#e7ece5", "soft": "#a5b0a9"}
"""The colours of the pages beside which an accent stands; a test compares them with the stylesheet."""
GROUNDS: Final = ("paper", "card", "sunk")
WHITE: Final = "#ffffff"
DEEP: Final = "#101613"
"""What is written on the accent in the dark theme."""
PALE: Final = (0.10, 0.18)
"""How much of the accent is in its pale shade, in the light and in the dark theme."""
STEPS: Final = 40

is_colour: Final = re.compile("#[0-9a-f]{6}").fullmatch


class Unreadable(ValueError):
    """An accent that cannot be read on the pages; its text is a sentence that names one that can."""


@frozen
class Accent:
    """An accent with its pale shade and what is written on it, each "#rrggbb"."""

    colour: str
    pale: str
    on: str


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours like "#2f6b4f", from 1 to 21."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def light_accent(colour: str) -> Accent:
    """Return an accent of the light theme; raise `Unreadable` if words in it or on it could not be read."""
    accent = Accent(colour, _mixed(LIGHT["card"], colour, PALE[0]), WHITE)
    if _is_readable(accent, LIGHT):
        return accent
    worst = min(contrast(colour, LIGHT[ground]) for ground in GROUNDS)
    for step in range(1, STEPS + 1):
        darker = _mixed(colour, "#000000", step / STEPS)
        if _is_readable(Accent(darker, _mixed(LIGHT["card"], darker, PALE[0]), WHITE), LIGHT):
            raise Unreadable(
                f"Words in {colour} have a contrast of {worst:.1f} to 1 on the pages; {READABLE} is needed. "
                f"{darker} is the same colour, dark enough."
            )
    raise Unreadable(f"Words in {colour} cannot be read on the pages; choose a darker colour.")


def dark_accent(colour: str) -> Accent:
    """Return the same accent for the dark theme: as light as its words need."""
    for step in range(STEPS + 1):
        lighter = _mixed(colour, WHITE, step / STEPS)
        accent = Accent(lighter, _mixed(DARK["card"], lighter, PALE[1]), DEEP)
        if _is_readable(accent, DARK):
            return accent
    return Accent(WHITE, DARK["card"], DEEP)


def _is_readable(accent: Accent, theme: dict[str, str]) -> bool:
    pairs = [(accent.colour, theme[ground]) for ground in GROUNDS]
    pairs += [(accent.colour, accent.pale), (accent.on, accent.colour)]
    pairs += [(theme[words], accent.pale) for words in ("ink", "soft")]
    return all(contrast(*pair) >= READABLE for pair in pairs)


def _parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _mixed(ground: str, colour: str, share: float) -> str:
    both = zip(_parts(ground), _parts(colour), strict=True)
    return "#" + "".join(f"{round(one + (other - one) * share):02x}" for one, other in both)


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in _parts(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
