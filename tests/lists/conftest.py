"""A hub whose lists are all longer than a page, made once for all tests of them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import evolve

from hub.app import Hub
from hub.operations import lists
from tests.lists.filled import DEPTH, Filled, fill
from tests.served_hub import served


@pytest.fixture(scope="session")
def filled_file(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """The filled database, to copy."""
    path = tmp_path_factory.mktemp("filled") / "hub.db"
    return fill(Path(shutil.copyfile(migrated_file, path)))


@pytest.fixture
def filled(filled_file: Filled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Filled:
    """A copy of the filled database, for a hub whose pages look at fewer rows than it has."""
    monkeypatch.setattr(lists, "DEPTH", DEPTH)
    copied = shutil.copyfile(filled_file.url.removeprefix("sqlite:///"), tmp_path / "hub.db")
    return evolve(filled_file, url=f"sqlite:///{copied}")


@pytest.fixture
async def filled_hub(filled: Filled) -> AsyncIterator[Hub]:
    """A hub over the filled database."""
    async with served(filled.url, filled.clock) as hub:
        yield hub
