"""Views: the filters of a list, which a person keeps under a name of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from hub.clock import Clock
from hub.ids import new_id
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault
from hub.storage import Store

LISTS: Final = {
    "/merchant/orders": "Orders",
    "/merchant/commissions": "Commissions",
    "/merchant/messages": "Messages",
    "/merchant/logs": "Request log",
    "/merchant/products": "Products",
    "/affiliate/commissions": "Commissions",
    "/operator/merchants": "Merchants",
    "/operator/affiliates": "Affiliates",
    "/operator/campaigns": "Campaigns",
    "/operator/links": "Links",
    "/operator/connections": "Connections",
    "/operator/orders": "Orders",
    "/operator/reviews": "Review",
    "/operator/commissions": "Commissions",
    "/operator/messages": "Messages",
    "/operator/mails": "Mails",
    "/operator/log": "Request log",
}
"""The lists that have views, by their addresses."""
NO_FILTERS: Final = ("after", "before", "mode", "merchant", "done", "csrf")
"""What an address of a merchant's or affiliate's list may say beside its filters."""
MOST: Final = 100
LONGEST_NAME: Final = 60
LONGEST_FILTERS: Final = 2_000


class SavedView(NamedTuple):
    """A view of a list; `filters` are as in the query of its address."""

    view_id: str
    list: str
    name: str
    filters: str

    @property
    def address(self) -> str:
        """The address of the list as this view shows it."""
        return f"{self.list}?{self.filters}"


def filters_in(address: str, query: Mapping[str, str]) -> str:
    """Return the filters of an address of a list as a query, without its place in the list; "" for none.

    For an operator, whose merchant is, the merchant is a filter as well.
    """
    left_out = set(NO_FILTERS) - ({"merchant", "mode"} if address.startswith("/operator/") else set())
    kept = {name: value for name, value in query.items() if value and name not in left_out}
    text = urlencode(kept)
    return text if len(text) <= LONGEST_FILTERS else ""


async def save_view(store: Store, clock: Clock, user_id: str, address: str, name: str, filters: str) -> SavedView:
    """Keep the filters of a list under a name, in place of those under it; raise `OperatorFault` for a bad value."""
    if address not in LISTS:
        raise OperatorFault("This list has no views.")
    plain = filters_in(address, dict(parse_qsl(filters[: 2 * LONGEST_FILTERS])))
    if not plain:
        raise OperatorFault("There is no filter to save: choose one first.")
    view = SavedView(new_id("view"), address, _checked(name), plain)
    async with store.write() as tx:
        stored = await tx.run("insert_saved_view", user_id=user_id, **view._asdict(), now=clock(), most=MOST)
    if not stored:
        raise OperatorFault(f"You have {MOST} views. Delete one first.")
    return view


async def views_of(store: Store, user_id: str, address: str | None = None) -> list[SavedView]:
    """Return the views of a person by list and name, of one list if its address is given."""
    async with store.read() as tx:
        return await tx.records(SavedView, "saved_views_of", user_id=user_id, list=address)


async def rename_view(store: Store, user_id: str, view_id: str, name: str) -> None:
    """Rename a view; raise `OperatorFault` if it is not the person's, and for a name that is bad or taken."""
    async with store.write() as tx:
        if not await tx.run("rename_saved_view", user_id=user_id, view_id=view_id, name=_checked(name)):
            raise OperatorFault("There is no such view, or another one of this list has the name.")


async def delete_view(store: Store, user_id: str, view_id: str) -> None:
    """Delete a view; deleting it again changes nothing."""
    async with store.write() as tx:
        await tx.run("delete_saved_view", user_id=user_id, view_id=view_id)


def _checked(name: str) -> str:
    checked = checked_name(name)
    if len(checked) > LONGEST_NAME:
        raise OperatorFault(f"A view's name has at most {LONGEST_NAME} characters.")
    return checked
