"""What is wrong with a connection's platform as far as asking it showed: for the check of the connection."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from hub.domain.connectors.reconciliation import DAY_MS, HOUR_MS
from hub.domain.connectors.requests import Requests
from hub.domain.instants import format_instant, parse_instant
from hub.storage import Row, Tx

STALE_MS: Final = 2 * DAY_MS
"""After two nights without a reading that ended, orders may be missing."""
SOON_MS: Final = 90 * DAY_MS
"""How long before its end a version of an API is told of: platforms end one a quarter."""
MOST_FETCHES: Final = 5


@frozen
class PlatformFindings:
    """What is stored of a platform that is asked: its access (None without credentials), newest readings, fetches."""

    access: Row | None
    reads: Sequence[Row]
    fetches: Sequence[Row]


async def find_platform(tx: Tx, account_id: str, connection_id: str) -> PlatformFindings:
    """Return what is stored of a connection's platform."""
    where = {"account_id": account_id, "connection_id": connection_id}
    return PlatformFindings(
        await tx.one("platform_access_of", **where),
        await tx.all("newest_reads", **where, limit=10),
        await tx.all("fetches_of_connection", **where, limit=100),
    )


def is_read_nightly(found: PlatformFindings, now: int) -> bool:
    """Return whether all orders of the last two nights before `now` (ms UTC) were read: then silence loses nothing."""
    access = found.access
    return access is not None and access["fault"] is None and now - access["certain_at"] < STALE_MS


def consent_problems(row: Row) -> Iterator[str]:
    """Yield why the keys that a consent brought last were refused; the platform tells its owner nothing of it."""
    if row["consent_fault"] is not None:
        yield f"The platform's consent of {format_instant(row['consent_fault_at'])} was refused. {row['consent_fault']}"


def platform_problems(
    found: PlatformFindings, requests: Requests | None, connection_id: str, now: int
) -> Iterator[str]:
    """Yield a sentence for each problem at `now` (ms UTC)."""
    access = found.access
    if access is not None:
        yield from _access_problems(access, requests, connection_id, now)
        yield from _read_problems(found.reads)
        yield from _missed(found.reads, requests, now)
    elif requests is not None and requests.reads_every:
        yield (
            "Nothing is read from the store, because the hub has no credentials for it; give it some: "
            f"hub connection credentials {connection_id} --from FILE"
        )
    yield from _fetch_problems(found.fetches, connection_id, now)


def _access_problems(access: Row, requests: Requests | None, connection_id: str, now: int) -> Iterator[str]:
    if access["fault"] is not None:
        yield (
            f"The hub has not been able to read the platform since {format_instant(access['fault_at'])}. "
            f"{access['fault']} Give it new credentials: hub connection credentials {connection_id} --from FILE"
        )
    missing = _missing_webhooks(access, requests)
    if access["hooks_at"] is not None and missing:
        yield (
            f"The platform has no active webhook for {', '.join(missing)}; to make them: "
            f"hub connection webhooks {connection_id}"
        )
    if requests is not None:
        yield from version_problems(requests, now)
    certain = access["certain_at"] or access["created_at"]
    if now - certain >= STALE_MS and requests is not None and requests.orders is not None:
        yield (
            f"No reading of its orders has finished since {format_instant(certain)}, so orders may be missing; to read "
            f"now: hub connection reconcile {connection_id}"
        )


def webhooks_are_active(found: PlatformFindings, requests: Requests | None) -> bool:
    """Return whether the platform has shown that it has every webhook that the hub wants of it, and that each is on."""
    access = found.access
    if access is None or access["hooks_at"] is None or requests is None or requests.webhooks is None:
        return False
    return not _missing_webhooks(access, requests)


def _missing_webhooks(access: Row, requests: Requests | None) -> list[str]:
    wanted = () if requests is None or requests.webhooks is None else requests.webhooks.topics
    alive = {each["topic"] for each in json.loads(access["hooks"]) if each["alive"]}
    return [topic for topic in wanted if topic not in alive]


def version_problems(requests: Requests, now: int) -> Iterator[str]:
    """Yield a sentence if the version of the platform's API that is asked for ends soon, or has ended (ms UTC)."""
    if not requests.version_ends:
        return
    left = parse_instant(f"{requests.version_ends}T00:00:00Z") - now
    if left <= 0:
        yield (
            f"The platform no longer has to serve the API version {requests.version} since {requests.version_ends}; "
            "install a newer release of the connector."
        )
    elif left <= SOON_MS:
        yield (
            f"The API version {requests.version} that the platform is asked with ends on {requests.version_ends}; "
            "install a newer release of the connector before."
        )


def _read_problems(reads: Sequence[Row]) -> Iterator[str]:
    for read in reads[:1]:
        if read["status"] == "FAILED":
            yield f"The last reading ended early: {read['fault']}"


def _missed(reads: Sequence[Row], requests: Requests | None, now: int) -> Iterator[str]:
    """Yield what webhooks did not bring; of a platform that sends nothing by itself every order is found by asking."""
    if requests is not None and requests.reads_every:
        return
    missed = [
        read
        for read in reads
        if read["kind"] == "RECONCILIATION" and read["unknown"] and now - read["created_at"] < DAY_MS
    ]
    for read in missed[:1]:
        yield (
            f"{read['unknown']} orders had never arrived, and were found by reading the platform at "
            f"{format_instant(read['created_at'])}: see why the platform's webhooks did not bring them."
        )


def _fetch_problems(fetches: Sequence[Row], connection_id: str, now: int) -> Iterator[str]:
    late = [each for each in fetches if each["due_at"] is None or now - each["created_at"] >= HOUR_MS]
    for each in late[:MOST_FETCHES]:
        state = "was given up" if each["due_at"] is None else f"waits since {format_instant(each['created_at'])}"
        reason = f": {each['fault']}" if each["fault"] else "."
        yield f"The {each['kind']} {each['item_id']}, which a delivery named, {state}{reason}"
    if late:
        yield f"To fetch now what is waiting: hub connection fetch {connection_id}"
