"""Lists of one account, page by page: the API's and the pages' view of orders, commissions, events and requests.

A page ends at a key and the next one begins behind it, so entries that are added or changed meanwhile neither repeat
nor drop others. Every query is bound to the account.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from attrs import frozen

from hub.clock import Clock
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts import ListedCommission, listed_commission
from hub.operations.orders.conversions import assemble, shown_conversions
from hub.operations.orders.request_log import RequestDocument, request_document
from hub.records.orders import ConversionRecord
from hub.storage import Row, Store, Tx

T = TypeVar("T")

LAST_ID = "z" * 40
"""Sorts behind every id and every code, in any collation."""
LAST_MOMENT = 2**62
MOMENT = re.compile(r"[0-9]{1,18}")


class CursorFault(OperatorFault):
    """A cursor that no list handed out, or that belongs to another order of the list."""


@frozen
class Window:
    """Which part of a list is wanted: at most `limit` entries behind `cursor`, which a page before handed out.

    The list's key has `parts` parts; the first of two is a moment in milliseconds UTC.
    """

    limit: int
    cursor: str | None = None
    oldest_first: bool = False
    parts: int = 1

    def key(self) -> tuple[str, ...] | None:
        """Return the key behind which the part begins, None at the start; raise `CursorFault` if it is malformed."""
        if self.cursor is None:
            return None
        try:
            padded = self.cursor + "=" * (-len(self.cursor) % 4)
            direction, *key = base64.b64decode(padded, b"-_", validate=True).decode().split("\n")
        except (binascii.Error, ValueError):
            raise CursorFault("It is not a cursor of this list.") from None
        fits = direction == self._direction and len(key) == self.parts and "\0" not in "".join(key)
        if not fits or (self.parts == 2 and not MOMENT.fullmatch(key[0])):
            raise CursorFault("It is a cursor of another list, or of another order of it.")
        return tuple(key)

    def cursor_behind(self, *key: object) -> str:
        """Return the cursor of the part that begins behind this key."""
        text = "\n".join([self._direction, *map(str, key)])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @property
    def _direction(self) -> str:
        return "oldest" if self.oldest_first else "newest"


@frozen
class Listed(Generic[T]):
    """A part of a list, and the cursor of the next part; None at the end of the list."""

    data: list[T]
    next_cursor: str | None


@frozen
class AccountFilter:
    """Which entries of an account's list are wanted; None is no condition. Moments are in milliseconds UTC.

    `status` is a word of the list: the state of a commission, the status of an event; of conversions also IN_REVIEW
    and DISMISSED.
    """

    status: str | None = None
    affiliate_id: str | None = None
    campaign_id: str | None = None
    created_from: int | None = None
    created_to: int | None = None
    updated_since: int | None = None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the queries that take all of these."""
        return {
            "status": self.status,
            "affiliate_id": self.affiliate_id,
            "campaign_id": self.campaign_id,
            "created_from": self.created_from,
            "created_to": self.created_to,
        }


Queries = tuple[str, str]
"""A query of the entries above a key, and that of the entries below it."""

CONVERSIONS: Queries = ("conversions_of_account_above", "conversions_of_account_below")
CHANGED_CONVERSIONS: Queries = ("conversions_changed_above", "conversions_changed_below")
OPEN_REVIEWS: Queries = ("open_reviews_of_account_above", "open_reviews_of_account_below")
COMMISSIONS: Queries = ("commissions_of_account_above", "commissions_of_account_below")
REQUESTS: Queries = ("requests_of_account_above", "requests_of_account_below")
FAILED_REQUESTS: Queries = ("failed_requests_of_account_above", "failed_requests_of_account_below")
AFFILIATES: Queries = ("affiliates_of_account_above", "affiliates_of_account_below")


async def list_account_conversions(
    store: Store, clock: Clock, account_id: str, wanted: AccountFilter, window: Window
) -> Listed[ConversionRecord]:
    """Return a part of an account's conversions; raise `CursorFault`."""
    values = {"account_id": account_id, **wanted.parameters()}
    queries = CONVERSIONS
    if wanted.updated_since is not None:
        queries, values["updated_since"] = CHANGED_CONVERSIONS, wanted.updated_since
    return await _conversions(store, clock, queries, values, window)


async def list_account_reviews(store: Store, clock: Clock, account_id: str, window: Window) -> Listed[ConversionRecord]:
    """Return a part of an account's conversions that wait for a review; raise `CursorFault`."""
    return await _conversions(store, clock, OPEN_REVIEWS, {"account_id": account_id}, window)


async def conversion_of_account(
    store: Store, clock: Clock, account_id: str, conversion_id: str
) -> ConversionRecord | None:
    """Return the conversion of an account with an id; None if there is none."""
    async with store.read() as tx:
        rows = await tx.all(
            "conversion_of_account", account_id=account_id, conversion_id=conversion_id, external_order_id=None
        )
        shown = await shown_conversions(tx, await assemble(tx, rows), clock())
    return shown[0] if shown else None


async def conversions_of_account_order(
    store: Store, clock: Clock, account_id: str, order_id: str, wanted: AccountFilter
) -> list[ConversionRecord]:
    """Return the conversion of an account's order if it matches the filters; none or one."""
    values = {"external_order_id": order_id, "updated_since": wanted.updated_since, **wanted.parameters()}
    async with store.read() as tx:
        rows = await tx.all("conversion_of_order", account_id=account_id, **values)
        return await shown_conversions(tx, await assemble(tx, rows), clock())


async def list_account_commissions(
    store: Store, account_id: str, wanted: AccountFilter, window: Window
) -> Listed[ListedCommission]:
    """Return a part of an account's commissions; raise `CursorFault`."""
    values = {"account_id": account_id, "updated_since": wanted.updated_since, **wanted.parameters()}
    return await _listed(store, COMMISSIONS, values, window, "commission_id", listed_commission)


async def commission_of_account(store: Store, account_id: str, commission_id: str) -> ListedCommission | None:
    """Return one commission of an account, None if there is none with the id."""
    async with store.read() as tx:
        row = await tx.one("commission_of_account", account_id=account_id, commission_id=commission_id)
    return None if row is None else listed_commission(row)


async def list_account_affiliates(store: Store, account_id: str, window: Window) -> Listed[dict[str, str]]:
    """Return a part of the affiliates that may promote something of an account; raise `CursorFault`."""
    return await _listed(store, AFFILIATES, {"account_id": account_id}, window, "affiliate_id", _affiliate)


@frozen
class RequestFilter:
    """Which requests of a log are wanted; None is no condition. Moments are in milliseconds UTC."""

    error_code: str | None = None
    status: int | None = None
    created_from: int | None = None
    created_to: int | None = None


async def list_account_requests(
    store: Store, account_id: str, wanted: RequestFilter, window: Window
) -> Listed[RequestDocument]:
    """Return a part of an account's request log; raise `CursorFault`."""
    first = (0, "") if window.oldest_first else (LAST_MOMENT, "")
    found = window.key()
    if found is not None:
        first = (int(found[0]), found[1])
    queries = REQUESTS if wanted.error_code is None else FAILED_REQUESTS
    async with store.read() as tx:
        rows = await tx.all(
            queries[0] if window.oldest_first else queries[1],
            account_id=account_id,
            logged_at=first[0],
            log_id=first[1],
            error_code=wanted.error_code,
            status=wanted.status,
            created_from=wanted.created_from or 0,
            created_to=LAST_MOMENT if wanted.created_to is None else wanted.created_to,
            limit=window.limit + 1,
        )
    more = len(rows) > window.limit
    rows = rows[: window.limit]
    cursor = window.cursor_behind(rows[-1]["logged_at"], rows[-1]["log_id"]) if more else None
    return Listed([request_document(row) for row in rows], cursor)


async def _conversions(
    store: Store, clock: Clock, queries: Queries, values: dict[str, Any], window: Window
) -> Listed[ConversionRecord]:
    async with store.read() as tx:
        rows, cursor = await read_rows(tx, queries, values, window, "conversion_id")
        return Listed(await shown_conversions(tx, await assemble(tx, rows), clock()), cursor)


async def _listed(
    store: Store, queries: Queries, values: dict[str, Any], window: Window, key: str, document: Callable[[Row], T]
) -> Listed[T]:
    async with store.read() as tx:
        rows, cursor = await read_rows(tx, queries, values, window, key)
    return Listed([document(row) for row in rows], cursor)


async def read_rows(
    tx: Tx, queries: Queries, values: dict[str, Any], window: Window, key: str
) -> tuple[Sequence[Row], str | None]:
    """Return the rows of a part of a list that is ordered by the column `key`, and the cursor of the next part."""
    found = window.key()
    start = found[0] if found is not None else "" if window.oldest_first else LAST_ID
    query = queries[0] if window.oldest_first else queries[1]
    rows = await tx.all(query, cursor=start, limit=window.limit + 1, **values)
    if len(rows) <= window.limit:
        return rows, None
    rows = rows[: window.limit]
    return rows, window.cursor_behind(rows[-1][key])


def _affiliate(row: Row) -> dict[str, str]:
    return {"id": row["affiliate_id"], "name": row["name"], "status": row["status"]}
