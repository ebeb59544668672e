"""The colours: every pair that is used can be read, in light and in dark (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from hub.pages.rendering import style

CSS = style().body.decode()
WORDS = [
    *product(("ink", "soft"), ("paper", "card", "sunk", "fern-pale", "brass-pale", "brick-pale", "sky-pale")),
    *product(("fern", "brass", "brick", "sky"), ("paper", "card", "sunk")),
    *((name, f"{name}-pale") for name in ("fern", "brass", "brick", "sky")),
    ("on-fern", "fern"),
    ("on-night", "night"),
]
EDGES = list(product(("edge", "focus", "fern", "brick", "brass"), ("paper", "card", "sunk")))


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def blocks() -> dict[str, dict[str, str]]:
    """The four blocks of tokens, the last one of print, by their selectors."""
    found = re.findall(r"(:root(?:\[[^]]+\]|:not\([^)]+\))?) \{([^}]*--paper:[^}]*)\}", CSS)
    return {selector: tokens(block) for selector, block in found}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_the_guidelines_do() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#2f6b4f", "#f6f2ea") == pytest.approx(5.64, abs=0.01)


@pytest.mark.parametrize("theme", blocks())
def test_words_and_edges_can_be_seen(theme: str) -> None:
    colours = blocks()[theme]
    faint = [(one, other) for one, other in WORDS if contrast(colours[one], colours[other]) < 4.5]
    thin = [(one, other) for one, other in EDGES if contrast(colours[one], colours[other]) < 3]
    assert (faint, thin) == ([], [])


def test_a_chosen_dark_theme_is_the_systems_dark_theme() -> None:
    found = blocks()
    assert found[':root[data-theme="dark"]'] == found[':root:not([data-theme="light"])']
    assert len(found) == 4


def test_only_tokens_have_colours() -> None:
    """Anything else would be missing from the other theme."""
    rest = re.sub(r"--[a-z-]+: #[0-9a-f]{6};", "", CSS)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", rest) == []
    assert set(re.findall(r"var\(--([a-z-]+)\)", CSS)) - {"sans", "mono"} <= set(blocks()[":root"])


def test_no_text_falls_back_to_a_serif_of_the_machine() -> None:
    """Every list of fonts, of pages, capture scripts, the demo's shop and mails, ends in a sans or a fixed width."""
    root = Path(__file__).parents[2] / "hub"
    files = [*root.rglob("*.css"), *(root / "mail" / "templates").glob("*.html")]
    said = {font for file in files for font in re.findall(r"(?<!sans-)\bserif\b", file.read_text())}
    assert len(files) > 4
    assert not said
