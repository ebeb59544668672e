"""When somebody is told of a trouble: at once if it cannot wait, else in few mails and not at night."""

from __future__ import annotations

import pytest

from hub.domain.troubles import (
    KINDS,
    TOLD_BEGIN,
    TOLD_END,
    TOLD_NOTHING,
    Noted,
    Trouble,
    in_quiet_hours,
    is_settled,
    mail_is_due,
    ordered,
    owed,
)
from hub.domain.words import TROUBLE_KINDS, TroubleKind
from hub.testing.clock import NOON

HOUR = 3_600_000
NIGHT = (22 * 60, 7 * 60)


def noted(kind: TroubleKind, **how: int) -> Noted:
    return Noted(Trouble(kind, "It is so.", since=NOON), **how)


def test_every_kind_is_in_the_table_in_the_same_order() -> None:
    assert tuple(KINDS) == TROUBLE_KINDS


def test_the_worst_come_first() -> None:
    found = ordered([Trouble("backup_old", ""), Trouble("messages_failed", ""), Trouble("backlog", "")])
    assert [each.kind for each in found] == ["backlog", "messages_failed", "backup_old"]


@pytest.mark.parametrize(
    ("told", "over_at", "expected"),
    [
        (TOLD_NOTHING, None, TOLD_BEGIN),
        (TOLD_BEGIN, None, None),
        (TOLD_BEGIN, NOON, TOLD_END),
        (TOLD_END, NOON, None),
        (TOLD_NOTHING, NOON, None),  # it began and ended before anybody could be told
    ],
)
def test_what_a_channel_owes(told: int, over_at: int | None, expected: int | None) -> None:
    assert owed(Noted(Trouble("backlog", ""), over_at=over_at), told) == expected


@pytest.mark.parametrize(
    ("over_at", "channels", "expected"),
    [
        (None, [], False),
        (NOON, [], True),
        (NOON, [TOLD_END, TOLD_NOTHING], True),
        (NOON, [TOLD_END, TOLD_BEGIN], False),
    ],
)
def test_it_is_forgotten_once_every_channel_told_its_end(
    over_at: int | None, channels: list[int], expected: bool
) -> None:
    assert is_settled(Noted(Trouble("backlog", ""), over_at=over_at), channels) is expected


@pytest.mark.parametrize(
    ("hour", "quiet", "expected"),
    [(12, NIGHT, False), (22, NIGHT, True), (3, NIGHT, True), (7, NIGHT, False), (12, None, False),
     (12, (12 * 60, 13 * 60), True), (13, (12 * 60, 13 * 60), False)],
)  # fmt: skip
def test_quiet_hours_may_go_over_midnight(hour: int, quiet: tuple[int, int] | None, expected: bool) -> None:
    assert in_quiet_hours(NOON + (hour - 12) * HOUR, quiet) is expected


@pytest.mark.parametrize(
    ("what", "waiting", "now", "last_at", "expected"),
    [
        ("nothing waits", [], NOON, None, False),
        ("the first one comes at once", [noted("messages_failed")], NOON, None, True),
        ("the next one waits for the digest", [noted("messages_failed")], NOON, NOON - HOUR + 1, False),
        ("and comes with it", [noted("messages_failed")], NOON, NOON - HOUR, True),
        ("an urgent one does not wait", [noted("messages_failed"), noted("backlog")], NOON, NOON - 60_000, True),
        ("but never two mails in a minute", [noted("backlog")], NOON, NOON - 59_999, False),
        ("at night others wait", [noted("messages_failed")], NOON + 12 * HOUR, None, False),
        ("at night urgent ones do not", [noted("backlog")], NOON + 12 * HOUR, None, True),
        ("that an urgent one is over can wait", [noted("backlog", over_at=NOON)], NOON + 12 * HOUR, None, False),
    ],
)
def test_when_a_mail_is_due(what: str, waiting: list[Noted], now: int, last_at: int | None, expected: bool) -> None:
    assert mail_is_due(waiting, now, last_at=last_at, quiet=NIGHT, digest_ms=HOUR) is expected, what
