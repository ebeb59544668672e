"""The change feed of an account: what changed, page by page or as lines, from a cursor that holds for ever."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Annotated, Final

from attrs import frozen
from multidict import CIMultiDictProxy, istr

from hub.domain.changes import CHANGE_TYPES, scope_of_type
from hub.domain.scopes import reaches
from hub.http.errors import ApiError, invalid
from hub.http.response import Lines, Reply
from hub.merchant_api.bearer import require_scope
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.list_queries import LONGEST_CURSOR, Limit
from hub.operations.changes.feed import ChangeCursorFault, Changes, Feed, cursor_of
from hub.operations.changes.waiting import (
    LONGEST_WAIT,
    Asked,
    Source,
    TooManyWaiters,
    changes_for,
    every_change,
)
from hub.records.wire import encode
from hub.validation.constraints import Text, Whole

NDJSON: Final = "application/x-ndjson"
ACCEPT: Final = istr("Accept")
SCOPES: Final = tuple(sorted({scope_of_type(name) for name in CHANGE_TYPES}))
"""Of which a token needs one; it is told what they reach."""
PER_PART: Final = 200
"""Changes that a stream reads at once, and has in memory."""

After = Annotated[
    str,
    Text(
        LONGEST_CURSOR,
        blank_is_absent=True,
        description="The `cursor` of an earlier answer; without it, the feed begins with everything that there is.",
        example=cursor_of((1_838_260_224_000_000, "conversion", "cnv_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d", "")),
    ),
]
Types = Annotated[
    str,
    Text(
        200,
        blank_is_absent=True,
        description=f"Only records of these types, separated by commas: {', '.join(CHANGE_TYPES)}.",
        example="conversion,commission",
    ),
]
Wait = Annotated[
    int, Whole(0, LONGEST_WAIT, description="Seconds to hold the request open until something changes.", example=20)
]


@frozen(kw_only=True, slots=False)
class ChangesQuery:
    """The query of GET /v1/changes."""

    after: After | None = None
    types: Types | None = None
    limit: Limit = 50
    wait: Wait = 0


async def list_changes(call: Call) -> Reply:
    """Return what changed after a cursor, as a page, or as lines up to the end."""
    query: ChangesQuery = call.query
    services, caller = call.services, call.caller
    source = Source(services.store, services.clock, services.public_root, services.waiters)
    lines = wants_lines(call.headers)
    feed = Feed(caller.account_id, types=checked_types(query.types, caller.scopes))
    asked = Asked(feed, caller.key_id or "", query.after, PER_PART if lines else query.limit, query.wait)
    found = await told(source, asked)
    if lines:
        return Reply(200, Lines(lines_of(source, asked, found)), content_type=NDJSON)
    return Reply(200, encode({"data": found.data, "cursor": found.cursor, "more": found.more}))


def wants_lines(headers: CIMultiDictProxy[str]) -> bool:
    """Return whether a request asks for the feed as lines."""
    return NDJSON in ",".join(headers.getall(ACCEPT, ()))


async def told(source: Source, asked: Asked) -> Changes:
    """Return what changed; raise the 400 of a strange cursor, and the 429 where as many wait as may."""
    try:
        return await changes_for(source, asked)
    except ChangeCursorFault as fault:
        raise invalid([f"`{name}` {text}" for name, text in fault.faults.items()]) from None
    except TooManyWaiters as fault:
        raise ApiError(429, fault.reason, "too_many_waiters", headers={"Retry-After": "1"}) from None


def checked_types(
    text: str | None, scopes: Collection[str] | None = None, known: Sequence[str] = CHANGE_TYPES
) -> Sequence[str]:
    """Return the types that are told: those that a query names, or all of the feed that a token's scopes reach.

    Raise the 400 of one that is none, and the 403 of one that the scopes do not reach.
    """
    named = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    strange = [name for name in named if name not in known]
    if strange:
        raise invalid([f"`types` must be of {', '.join(known)}; {strange[0]!r} is none"])
    if scopes is None:
        return named
    for name in named:
        require_scope(scopes, (scope_of_type(name),))
    return named or [name for name in known if reaches(scopes, scope_of_type(name))]


async def lines_of(source: Source, asked: Asked, first: Changes) -> AsyncIterator[bytes]:
    """Yield each part as lines, and behind it a line with its cursor, from which a broken stream is taken up again."""
    async for part in every_change(source, asked, first):
        lines = [encode(entry) for entry in part.data]
        yield b"\n".join([*lines, encode({"cursor": part.cursor}), b""])
