"""The trail as it is read: a part of it, or the newest acts."""

from __future__ import annotations

import json
from typing import Final

from attrs import evolve

from hub.domain.instants import format_instant
from hub.ids import id_at
from hub.operations.lists import List, Page, Wanted, first_rows, read
from hub.operations.trail import ActDocument
from hub.storage import Row, Store

ACTS: Final = List("acts")


async def list_acts(store: Store, wanted: Wanted) -> Page[ActDocument]:
    """Return a part of the trail by `subject`, `actor`, `act` and `since` (ms UTC); raise `CursorFault`."""
    return (await read(store, ACTS, _led(wanted))).of(_document)


async def newest_acts(store: Store, wanted: Wanted) -> list[ActDocument]:
    """Return the first acts of what is wanted, however many have to be looked through for them."""
    return [_document(row) for row in await first_rows(store, ACTS, _led(wanted))]


def _led(wanted: Wanted) -> Wanted:
    """Return what is wanted with a moment as the first id since then, to which an index leads."""
    since = wanted.filters.get("since")
    return evolve(wanted, filters={**wanted.filters, "since": None if since is None else id_at("act", int(since))})


def _document(row: Row) -> ActDocument:
    return {
        "id": row["trail_id"],
        "at": format_instant(row["acted_at"]),
        "actorKind": row["actor_kind"],
        "actor": row["actor_id"],
        "act": row["act"],
        "subjectKind": row["subject_kind"],
        "subject": row["subject_id"],
        "before": None if row["before_json"] is None else json.loads(row["before_json"]),
        "after": None if row["after_json"] is None else json.loads(row["after_json"]),
        "source": row["source"],
        "address": row["address"],
    }
