"""Whether a hub that serves decides a backlog with a second process."""

from __future__ import annotations

import os

import pytest

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.web.conftest import served


def may_have_one(hub: Hub) -> bool:
    assert hub.parts.worker is not None
    return hub.parts.worker._ahead is not None


@pytest.mark.parametrize(("cores", "setting", "expected"), [(2, "true", True), (1, "true", False), (2, "false", False)])
async def test_on_sqlite_where_there_is_a_core_for_it(
    sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, cores: int, setting: str, expected: bool
) -> None:
    """Two processes on one core only take turns; and the operator may want none."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    async with served(sqlite_url, clock, HUB_WORKER_DECIDER=setting) as hub:
        assert may_have_one(hub) is expected


async def test_not_on_postgresql(postgres_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """There more hubs work on a backlog together."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    async with served(postgres_url, clock) as hub:
        assert may_have_one(hub) is False
