"""No text of a stranger is an error of ours, or takes longer than its length allows: kept texts, worst ones, new ones.

`corpus/DOOR/` holds what was found; each file is read again by every run. `make prove` looks for more (`hypothesis`
changes what is there, or draws a text anew) and keeps what fails as a file: mend the reader, and commit the file.
"""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.connectors import request_pages
from tests.hostile.doors import CORPUS, DOORS, corpus
from tests.hostile.worst import WORST, worst

SECONDS, SECONDS_A_BYTE = 0.06, 3e-6
"""Of a processor for a text: a megabyte may take three seconds less than it would if time grew with its square."""
CHANGES = st.lists(st.tuples(st.integers(0, 4_096), st.integers(0, 64), st.binary(max_size=24)), max_size=4)


def read(door: str, raw: bytes, folder: Path | None = None) -> float:
    """Let a door read a text; return the seconds of a processor. What it raises beside its refusals is kept."""
    began = time.process_time()
    try:
        DOORS[door].read(raw)
    except DOORS[door].refusals:
        pass
    except Exception:
        keep(door, raw, folder or CORPUS)
        raise
    return time.process_time() - began


def keep(door: str, raw: bytes, folder: Path) -> None:
    """Write a text into the corpus, once."""
    file = folder / door / sha256(raw).hexdigest()[:16]
    file.parent.mkdir(parents=True, exist_ok=True)
    if len(raw) <= 65_536:
        file.write_bytes(raw)


@pytest.mark.parametrize(("door", "file"), corpus(), ids=lambda each: str(getattr(each, "name", each)))
def test_a_text_that_was_found_once_is_read(door: str, file: Path) -> None:
    read(door, file.read_bytes())


@pytest.mark.parametrize(("door", "name", "raw"), [pytest.param(*each, id=f"{each[0]}, {each[1]}") for each in worst()])
def test_the_worst_texts_take_no_longer_than_their_length_allows(door: str, name: str, raw: bytes) -> None:
    allowed = SECONDS + SECONDS_A_BYTE * len(raw)
    taken = read(door, raw)
    if taken > allowed:  # once more: the first may have compiled something
        taken = read(door, raw)
    assert taken <= allowed, f"{taken:.2f} s for {len(raw)} bytes"


@pytest.mark.parametrize("door", DOORS)
def test_no_text_is_an_error(door: str) -> None:
    """Drawn from the worst and the kept ones, cut, joined and changed, or from nothing."""
    kept = [raw[:4_096] for raw in WORST[door].values()] + [
        file.read_bytes() for name, file in corpus() if name == door
    ]

    @given(st.sampled_from(kept), st.sampled_from(kept), CHANGES, st.integers(0, 4_096))
    def changed(raw: bytes, other: bytes, changes: list[tuple[int, int, bytes]], cut: int) -> None:
        text = bytearray(raw[:cut] + other[: 4_096 - cut])
        for place, length, new in changes:
            text[place : place + length] = new
        read(door, bytes(text))

    @given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
    def drawn(raw: bytes) -> None:
        read(door, raw)

    changed()
    drawn()


def test_every_door_has_its_worst_texts() -> None:
    assert set(WORST) == set(DOORS)


def test_control_a_reader_that_lets_an_error_through_is_found_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careless(asked: str, link: str) -> str:
        return urljoin(asked, link)

    monkeypatch.setattr(request_pages, "_same_host", careless)
    raw = WORST["link"]["half an address"]
    with pytest.raises(ValueError, match="Invalid IPv6 URL"):
        read("link", raw, tmp_path)
    (kept,) = (tmp_path / "link").iterdir()
    assert kept.read_bytes() == raw
