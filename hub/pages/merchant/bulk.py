"""Acts on many things at once: the boxes that were ticked, and what came of it, shown by the list it leads back to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import frozen

from hub.domain.words import BulkAct
from hub.operations.errors import OperatorFault
from hub.operations.orders.bulk_acts import bulk_outcome
from hub.pages.merchant.access import MerchantVisit
from hub.pages.rendering import see_other

MOST_TICKED: Final = 100
TICK: Final = "tick."
"""The field of a box is this and the id of the thing: a form has each name once."""
WORDS: Final[Mapping[BulkAct, str]] = {
    "attributed": "attributed",
    "dismissed": "dismissed",
    "approved": "approved",
    "rejected": "rejected",
    "replayed": "queued again",
    "set-aside": "set aside",
}


@frozen
class Outcome:
    """How many things were done, and why each of the others was not, by its id."""

    done: int
    refused: Mapping[str, str]

    def words(self, done: str) -> str:
        """Return the outcome as a sentence; `done` is what was done, such as "accepted"."""
        text = f"{self.done} {done}."
        if not self.refused:
            return text
        first = next(iter(self.refused.values()))
        return f"{text} {len(self.refused)} not done: {first}"


def ticked(form: Mapping[str, str]) -> list[str]:
    """Return the ids of the boxes that were ticked."""
    return [name.removeprefix(TICK) for name in form if name.startswith(TICK)][:MOST_TICKED]


def outcome_of(visit: MerchantVisit, address: str, bulk_id: str, given: Mapping[str, str]) -> web.Response:
    """Return the redirect to a list, with its filters, that shows what came of an act: a reload sends nothing twice."""
    return see_other(f"{address}?{urlencode({**given, 'mode': visit.mode, 'bulk': bulk_id})}")


async def for_each(ids: list[str], act: Callable[[str], Awaitable[object]]) -> Outcome:
    """Await the act for each id and return what became of them."""
    done, refused = 0, {}
    for each in ids:
        try:
            await act(each)
        except OperatorFault as fault:
            refused[each] = fault.reason
        else:
            done += 1
    return Outcome(done, refused)


async def shown_outcome(visit: MerchantVisit) -> Mapping[str, Any]:
    """Return what a list shows of the act on many that its address names."""
    bulk_id = visit.query.get("bulk", "")
    services = visit.services
    found = await bulk_outcome(services.store, services.clock, visit.account_id, bulk_id) if bulk_id else None
    return {"outcome": found, "outcome_words": None if found is None else WORDS[found.act]}
