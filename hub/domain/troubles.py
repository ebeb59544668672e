"""What may need an operator: each kind once, with what it means, where it is seen and when somebody is told.

Every place that tells of troubles reads this table: `hub status`, the operators' page and API, `/readyz`, `/metrics`,
mails and webhooks. `docs/troubles.md` has a section for each kind; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import frozen

from hub.domain.words import TroubleKind

MINUTE: Final = 60_000
DAY: Final = 86_400_000
URGENT_APART: Final = MINUTE
"""Mails about urgent troubles come at most this often (ms)."""
TOLD_NOTHING, TOLD_BEGIN, TOLD_END = 0, 1, 2
"""How far a channel is with a trouble."""


@frozen
class Kind:
    """A kind of trouble: its title (for anybody), whether it cannot wait for the morning, and where it is looked into.

    `page` is the address under which operators see it, empty if only the overview does.
    """

    title: str
    command: str
    page: str = ""
    is_urgent: bool = False


KINDS: Final[Mapping[TroubleKind, Kind]] = MappingProxyType({
    "nobody_serves": Kind("No process serves the hub", "hub status", is_urgent=True),
    "backlog": Kind("Messages are processed late", "hub event list --status QUEUED", "/operator/messages",
                    is_urgent=True),
    "disk_short": Kind("The disk is nearly full", "hub status", is_urgent=True),
    "pool_exhausted": Kind("Connections to the database run out", "hub doctor", is_urgent=True),
    "clock_jumped": Kind("A clock jumped", "hub clock status", is_urgent=True),
    "timers_late": Kind("Timers do not run", "hub status", is_urgent=True),
    "audit_violated": Kind("The audit found violations", "hub audit", "/operator/ledger", is_urgent=True),
    "mail_failing": Kind("The mail server takes no mail", "hub mail list --status WAITING", "/operator/mails",
                         is_urgent=True),
    "messages_failed": Kind("Messages failed", "hub event list --status FAILED", "/operator/messages?status=FAILED"),
    "mail_given_up": Kind("Mails were given up", "hub mail list --status GIVEN_UP", "/operator/mails?status=GIVEN_UP"),
    "receivers_failing": Kind("Receivers of webhooks fail", "hub subscription list"),
    "plugin_set_aside": Kind("A plugin is set aside", "hub plugin list", "/operator"),
    "certificate_ending": Kind("The public certificate expires soon", "hub doctor"),
    "keys_ending": Kind("Keys or tokens expire soon", "hub find ID"),
    "platform_refuses": Kind("Platforms refuse the hub", "hub connection list", "/operator/connections"),
    "store_silent": Kind("Stores have gone silent", "hub connection list", "/operator/connections"),
    "uploads_stuck": Kind("Uploads are stuck", "hub status"),
    "replica_behind": Kind("The replica is behind or away", "hub doctor"),
    "audit_old": Kind("The books have not been proved recently", "hub audit", "/operator"),
    "backup_old": Kind("There is no recent backup", "hub backup FILE"),
})  # fmt: skip
"""The table, the worst first."""


@frozen
class Trouble:
    """A trouble that lasts: a sentence with its facts, what it is about ("" for the hub), and since when (ms UTC)."""

    kind: TroubleKind
    sentence: str
    object: str = ""
    since: int | None = None


@frozen
class Noted:
    """A trouble as it is stored: how far each channel is with it, and when it ended (`over_at`, ms UTC)."""

    trouble: Trouble
    mailed: int = TOLD_NOTHING
    posted: int = TOLD_NOTHING
    over_at: int | None = None


def anchor(kind: TroubleKind) -> str:
    """Return the section of docs/troubles.md that says what to do."""
    return f"troubles#{kind.replace('_', '-')}"


def ordered(troubles: Iterable[Trouble]) -> list[Trouble]:
    """Return troubles with the worst kinds first."""
    places = {kind: place for place, kind in enumerate(KINDS)}
    return sorted(troubles, key=lambda each: (places[each.kind], each.object))


def owed(noted: Noted, told: int) -> int | None:
    """Return what a channel has still to tell of a trouble: its begin or its end; None if nothing.

    What began and ended before the channel told of it is not told at all.
    """
    if noted.over_at is None:
        return TOLD_BEGIN if told == TOLD_NOTHING else None
    return TOLD_END if told == TOLD_BEGIN else None


def is_settled(noted: Noted, channels: Sequence[int]) -> bool:
    """Return whether a trouble that is over may be forgotten: no channel owes a word about it."""
    return noted.over_at is not None and all(owed(noted, told) is None for told in channels)


def in_quiet_hours(now: int, quiet: tuple[int, int] | None) -> bool:
    """Return whether a moment (ms UTC) is in the quiet hours: from and until, in minutes of the day (UTC)."""
    if quiet is None:
        return False
    minute, (begin, end) = now // MINUTE % 1_440, quiet
    return begin <= minute < end if begin <= end else minute >= begin or minute < end


def mail_is_due(
    waiting: Iterable[Noted], now: int, *, last_at: int | None, quiet: tuple[int, int] | None, digest_ms: int
) -> bool:
    """Return whether operators get a mail now about troubles that they were not told of yet.

    Urgent ones that begin come at once, a minute apart at most. All others wait for the end of the quiet hours, and
    until the last mail is `digest_ms` old, so that many come as one.
    """
    waiting = list(waiting)
    apart = now - last_at if last_at is not None else None
    if not waiting:
        return False
    if any(KINDS[each.trouble.kind].is_urgent and each.over_at is None for each in waiting):
        return apart is None or apart >= URGENT_APART
    return not in_quiet_hours(now, quiet) and (apart is None or apart >= digest_ms)
