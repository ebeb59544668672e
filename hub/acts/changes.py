"""The change feed of the operators' API, of all accounts, and of the affiliates' API, of what is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypedDict

from hub.acts.act import Act, get
from hub.acts.authority import AFFILIATES, OPERATORS, Grant
from hub.acts.call import USUAL_ENTRIES, Call
from hub.acts.fields import PAGED, Fields, number, text
from hub.domain.changes import CHANGE_TYPES, OWN_TYPES, ChangeType, scope_of_type
from hub.domain.words import Mode
from hub.http.response import Lines
from hub.merchant_api.v1.changes import NDJSON, PER_PART, checked_types, lines_of, told
from hub.operations.changes.feed import Feed, cursor_of
from hub.operations.changes.waiting import LONGEST_WAIT, Asked, Source, Waiters


class ChangeDocument(TypedDict):
    """A record that changed, as it is now, with the account that it is of; without a record it is gone."""

    type: ChangeType
    id: str
    merchantId: str
    mode: Mode
    changedAt: str
    deleted: bool
    record: dict[str, Any] | None


class ChangesDocument(TypedDict):
    """A part of a change feed, the cursor behind it, and whether there is more by now."""

    data: list[ChangeDocument]
    cursor: str
    more: bool


def _query(known: Sequence[str]) -> Fields:
    return {
        "after": text(
            "The `cursor` of an earlier answer; without it, the feed begins with everything that there is.",
            cursor_of((1_838_260_224_000_000, "commission", "com_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d", "")),
        ),
        "types": text(f"Only records of these types, separated by commas: {', '.join(known)}.", known[0], 200),
        "limit": PAGED["limit"],
        "wait": number("Seconds to hold the request open until something changes.", 0, LONGEST_WAIT),
    }


async def _changes(c: Call, known: Sequence[str]) -> Any:
    q, services = c.query, c.services
    source = Source(c.store, c.clock, services.root, c.waiters or Waiters())
    feed = Feed(affiliate_id=c.affiliate_id, types=checked_types(q.get("types"), c.scopes, known))
    limit = PER_PART if c.as_lines else q.get("limit", USUAL_ENTRIES)
    asked = Asked(feed, c.caller, q.get("after"), limit, q.get("wait", 0))
    found = await told(source, asked)
    if c.as_lines:
        return Lines(lines_of(source, asked, found), NDJSON)
    return {"data": found.data, "cursor": found.cursor, "more": found.more}


def _feed(about: str, by: Grant, known: Sequence[str]) -> Act:
    return Act(
        get("/changes", "listChanges"), about, lambda c: _changes(c, known), ChangesDocument, query=_query(known),
        by=(by,), scopes=tuple(sorted({scope_of_type(name) for name in known})),
    )  # fmt: skip


OF_ALL: Final = _feed("Follow what changed in all accounts, from a cursor that never expires", OPERATORS, CHANGE_TYPES)
OF_OWN: Final = _feed("Follow what changed of yours, from a cursor that never expires", AFFILIATES, OWN_TYPES)
