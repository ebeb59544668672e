"""What people and programs ask lists for, as the filters that lists have: references as ids, texts as patterns."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from hub.domain.durations import MINUTE
from hub.ids import id_at
from hub.operations.lists import Wanted
from hub.operations.references import account_of, affiliate_id_of, like_pattern, merchant_id_of
from hub.storage import Tx

CLOCKS: Final = MINUTE
"""By how much the clocks of two servers may differ."""
LAST: Final = "\U0010ffff"
"""Sorts behind every character, byte by byte."""


async def with_ids(tx: Tx, wanted: Wanted) -> Wanted:
    """Return what is wanted with the filters `merchant` and `affiliate` as ids, and a merchant's mode as its account.

    Raise `OperatorFault` if one of them names nothing, or several.
    """
    filters = dict(wanted.filters)
    merchant, affiliate, mode = filters.pop("merchant", None), filters.pop("affiliate", None), filters.get("mode")
    if affiliate is not None:
        filters["affiliate_id"] = await affiliate_id_of(tx, str(affiliate))
    if merchant is not None and mode is not None:
        filters["account_id"] = (await account_of(tx, str(merchant), str(filters.pop("mode"))))["account_id"]
    elif merchant is not None:
        filters["merchant_id"] = await merchant_id_of(tx, str(merchant))
    return evolve(wanted, filters=filters)


def since_moment(prefix: str, moment: int | None) -> str | None:
    """Return the id behind which everything stands that was received at or after a moment (ms UTC); None for None.

    An id is made when its thing is received, give or take what the clocks of two servers differ by.
    """
    return None if moment is None else id_at(prefix, moment - CLOCKS)


def searching(wanted: Wanted) -> Wanted:
    """Return what is wanted with the text that it searches for as a pattern, which matches it anywhere in any case."""
    text = wanted.filters.get("search")
    return wanted if text is None else evolve(wanted, filters={**wanted.filters, "search": like_pattern(str(text))})


def end_of(beginning: str) -> str:
    """Return the text before which all stand, in a column of bytewise order, that begin like a text."""
    return beginning + LAST
