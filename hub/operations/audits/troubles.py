"""Finds what needs an operator, in the database and on the disk: the one list that whatever tells of it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypedDict

import orjson
from attrs import frozen

from hub.config.settings import Settings
from hub.domain.instants import format_instant
from hub.domain.troubles import DAY, KINDS, MINUTE, Noted, Trouble, anchor, ordered
from hub.domain.words import TroubleKind
from hub.operations.system.nodes import LIVE_MS
from hub.storage import Row, Store, StoreUnavailable, Tx
from hub.storage.disk_reserve import free_and_total
from hub.storage.postgresql.facts import newest_sign_of

LATE_MS: Final = MINUTE
"""An event that has been due for longer shows that the worker does not keep up."""
RECEIVER_MS: Final = MINUTE // 2
"""A receiver that has failed for longer does not only restart."""
SILENT_FROM, SILENT_TO = DAY, 7 * DAY
"""A store that sent nothing for so long fell silent; after a week it is no news any more."""
UPLOAD_MS: Final = 10 * MINUTE
UPLOAD_SILENT_MS: Final = 2 * MINUTE
TIMERS_MS: Final = 2 * MINUTE
GIVEN_UP_MS: Final = DAY
EXHAUSTED_MS: Final = MINUTE
KEYS_MS: Final = 7 * DAY
KEY_LIFE_MS: Final = 30 * DAY
"""A key that was made for less is meant to end; of others the last week is told."""
WATCHED: Final = frozenset({"certificate_ending"})
"""What the watch alone sees, because one has to ask for it over the network: commands read what it noted."""
TIMERS: Final = frozenset({"release_holds", "give_up_parked", "sweep", "count_figures"})
"""The timers that always run; others belong to settings that may have been turned off."""
COUNTED: Final = 1_000
"""Failed messages are counted up to here."""


class TroubleDocument(TypedDict):
    """A trouble as it is shown: `object` is what it is about, null for the hub; `runbook` a section of the documents.

    `since` is null while nobody has noted it: a process that serves does so within seconds.
    """

    kind: TroubleKind
    sentence: str
    object: str | None
    since: str | None
    isUrgent: bool
    command: str
    page: str | None
    runbook: str


@frozen
class _Seen:
    """What is read at one moment, in one transaction."""

    now: int
    backlog: Row | None
    failed: int
    nodes: Sequence[Row]
    leases: Sequence[Row]
    counts: dict[str, Row]
    audit: Row | None
    backup: Row | None
    used_since: int | None
    ending: Row | None


async def find_troubles(store: Store, now: int, settings: Settings) -> list[Trouble]:
    """Return what needs an operator at a moment (ms UTC), the worst first; `since` is what the rows themselves say."""
    async with store.read() as tx:
        seen = await _look(tx, now)
    return ordered([*_of_work(seen), *_of_processes(seen), *_of_others(seen), *_of_proof(seen, settings),
                    *_of_disk(settings), *await _of_replica(seen, settings)])  # fmt: skip


async def noted_troubles(store: Store) -> list[Noted]:
    """Return the troubles that are noted, those that are over and not told yet among them, the oldest first."""
    async with store.read() as tx:
        rows = await tx.all("troubles_noted")
    return [
        Noted(
            Trouble(row["kind"], row["sentence"], row["object"], row["since"]),
            row["mailed"],
            row["posted"],
            row["over_at"],
        )
        for row in rows
    ]


async def list_troubles(store: Store, now: int, settings: Settings) -> list[TroubleDocument]:
    """Return what needs an operator now, with the moment since when it was noted."""
    lasting = [each.trouble for each in await noted_troubles(store) if not each.over_at]
    noted = {(each.kind, each.object): each.since for each in lasting}
    watched = [each for each in lasting if each.kind in WATCHED]
    return [
        trouble_document(each, each.since or noted.get((each.kind, each.object)))
        for each in ordered([*await find_troubles(store, now, settings), *watched])
    ]


def trouble_document(trouble: Trouble, since: int | None) -> TroubleDocument:
    """Return the document of a trouble that has lasted since a moment (ms UTC)."""
    kind = KINDS[trouble.kind]
    return {
        "kind": trouble.kind,
        "sentence": trouble.sentence,
        "object": trouble.object or None,
        "since": None if since is None else format_instant(since),
        "isUrgent": kind.is_urgent,
        "command": kind.command,
        "page": kind.page or None,
        "runbook": anchor(trouble.kind),
    }


async def _look(tx: Tx, now: int) -> _Seen:
    stuck = {row["status"]: row["events"] for row in await tx.all("stuck_events", limit=COUNTED + 1)}
    asked = {
        "mails_failing": {},
        "mails_given_up": {"since": now - GIVEN_UP_MS},
        "receivers_failing": {"before": now - RECEIVER_MS},
        "platforms_refusing": {},
        "stores_silent": {"before": now - SILENT_FROM, "since": now - SILENT_TO},
        "uploads_stuck": {"silent": now - UPLOAD_SILENT_MS, "before": now - UPLOAD_MS},
    }
    counts = {name: row for name, values in asked.items() if (row := await tx.one(name, **values)) is not None}
    oldest = await tx.one("oldest_merchant")
    return _Seen(
        now=now,
        backlog=await tx.one("oldest_due_event"),
        failed=stuck.get("FAILED", 0),
        nodes=[row for row in await tx.all("nodes_listed") if abs(now - row["seen_at"]) <= LIVE_MS],
        leases=await tx.all("leases_listed"),
        counts=counts,
        audit=await tx.one("last_audit_run"),
        backup=await tx.one("last_backup"),
        used_since=None if oldest is None else oldest["since"],
        ending=await tx.one("keys_ending", now=now, before=now + KEYS_MS, life=KEY_LIFE_MS),
    )


def _of_work(seen: _Seen) -> Iterator[Trouble]:
    due_at = None if seen.backlog is None else seen.backlog["due_at"]
    if due_at is not None and seen.now - due_at > LATE_MS:
        waited = round((seen.now - due_at) / 1000)
        yield Trouble("backlog", f"The oldest message has waited for {waited:,} seconds.", since=due_at)
    if seen.failed:
        yield Trouble("messages_failed", "Messages failed; see why, and replay them once their cause is fixed.")


def _of_processes(seen: _Seen) -> Iterator[Trouble]:
    if not seen.nodes:
        yield Trouble("nobody_serves", "No process has written a heartbeat for 15 seconds.")
    exhausted = sum(node["exhausted_at"] > seen.now - EXHAUSTED_MS for node in seen.nodes)
    if exhausted:
        sentence = f"{exhausted} processes waited for a connection to the database within a minute."
        yield Trouble("pool_exhausted", sentence)
    if any(node["clock_jump_ms"] for node in seen.nodes):
        yield Trouble("clock_jumped", "The clock of a process jumped: it ends no hold until the clock is confirmed.")
    late = [row for row in seen.leases if row["name"] in TIMERS and row["expires_at"] < seen.now - TIMERS_MS]
    if late and seen.nodes:
        names = ", ".join(row["name"] for row in late)
        yield Trouble("timers_late", f"No process runs {names}.", since=min(row["expires_at"] for row in late))
    aside: dict[str, str] = {}
    for node in seen.nodes:
        aside |= {} if node["plugins"] is None else orjson.loads(node["plugins"]).get("setAside", {})
    for name, reason in sorted(aside.items()):
        yield Trouble("plugin_set_aside", f"{name} is set aside: {reason}", name)


def _of_others(seen: _Seen) -> Iterator[Trouble]:
    """Yield what goes wrong between the hub and others."""
    sentences: dict[TroubleKind, tuple[str, str, str]] = {
        "mail_failing": ("mails_failing", "mails", "{} mails wait because the mail server did not accept them."),
        "mail_given_up": ("mails_given_up", "mails", "{} mails were given up within a day."),
        "receivers_failing": ("receivers_failing", "receivers", "{} receivers of webhooks or postbacks are failing."),
        "platform_refuses": ("platforms_refusing", "connections", "{} platforms refuse the hub's credentials."),
        "store_silent": ("stores_silent", "connections", "{} stores that delivered before sent nothing for a day."),
        "uploads_stuck": ("uploads_stuck", "uploads", "{} uploaded files wait, and no process continues with them."),
    }
    for kind, (query, column, sentence) in sentences.items():
        row = seen.counts.get(query)
        if row is not None and row[column]:
            yield Trouble(kind, sentence.format(f"{row[column]:,}"), since=row["since"])
    if (first := seen.ending) is not None:
        day = format_instant(first["expires_at"])[:10]
        sentence = f"{first['keys']:,} keys or tokens end within a week, {first['key_id']} on {day} as the first."
        yield Trouble("keys_ending", sentence, since=first["expires_at"] - KEYS_MS)


def _of_proof(seen: _Seen, settings: Settings) -> Iterator[Trouble]:
    limits = settings.troubles
    audit = seen.audit
    violations = 0 if audit is None else audit["violations"] + audit["newer_violations"]
    if audit is not None and violations:
        sentence = f"The last audit named {violations} violations; run `hub audit`."
        yield Trouble("audit_violated", sentence, since=audit["finished_at" if audit["violations"] else "followed_at"])
    audited_at = seen.used_since if audit is None else audit["finished_at"]
    if limits.audit_after and audited_at is not None and seen.now - audited_at > limits.audit_after:
        when = "have never been proved" if audit is None else f"were last proved on {format_instant(audited_at)[:10]}"
        yield Trouble("audit_old", f"The books {when}.", since=audited_at)
    backed_up_at = seen.used_since if seen.backup is None else seen.backup["finished_at"]
    asked = limits.backup_after and settings.database.path is not None
    if asked and backed_up_at is not None and seen.now - backed_up_at > limits.backup_after:
        last = f"was last backed up on {format_instant(backed_up_at)[:10]}"
        when = "has never been backed up" if seen.backup is None else last
        yield Trouble("backup_old", f"The database {when}.", since=backed_up_at)


def _of_disk(settings: Settings) -> Iterator[Trouble]:
    path = settings.database.path
    if path is None:
        return
    try:
        free, total = free_and_total(path)
    except OSError:
        return
    if free < min(settings.database.reserve, total // 20):
        yield Trouble("disk_short", "The disk is nearly full: clicks and refused requests are not recorded.")


async def _of_replica(seen: _Seen, settings: Settings) -> list[Trouble]:
    """Compare the newest sign of life of the hub that the replica has with that of the database."""
    newest = max((node["seen_at"] for node in seen.nodes), default=None)
    if not settings.database.replica or newest is None:
        return []
    try:
        has = await newest_sign_of(settings.database.replica)
    except StoreUnavailable as fault:
        return [Trouble("replica_behind", f"The replica is not read, the database is. {fault}")]
    if has is None:
        return [Trouble("replica_behind", "The replica knows of no process of the hub: is it one of this database?")]
    behind = newest - has
    if behind <= settings.database.replica_behind:
        return []
    return [Trouble("replica_behind", f"The replica is {behind // 1000:,} seconds behind.", since=has)]
