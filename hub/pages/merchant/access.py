"""Whose data a merchant's page is about: an account of a merchant that the person belongs to, and of no other.

A merchant has a test and a live account. `?mode=test` (and `?merchant=mer_…`, for people with several) in an address
chooses one and is kept in a cookie for addresses without it; at first it is live if the merchant is approved. A form
names its account, because the choice may have changed since it was shown. What is not in the account shown is looked
for in the other mode once, so that an address that was given out leads anybody of the merchant to its object.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import evolve, frozen

from hub.acts.authority import OWNERS
from hub.domain.words import LIVE_FIRST
from hub.operations.merchants.merchants import require_merchant
from hub.operations.merchants.onboarding import is_set_up
from hub.pages.proof import back_from_proof, unproved
from hub.pages.rendering import see_other
from hub.pages.visit import OwnVisit, Page, Visit
from hub.records.merchants import MerchantDocument

CHOICE_COOKIE: Final = "hub-shown"
OTHER_MODE: Final = {"live": "test", "test": "live"}


class NotInAccount(Exception):
    """What was asked for is not in the account that is shown."""


@frozen(eq=False)
class MerchantVisit(OwnVisit):
    """A visit to a page of a merchant; `account_id` is the one account that the page may read and change."""

    merchant: MerchantDocument
    level: str
    mode: str
    choices: tuple[str, ...] = ()
    sets_up: bool = False
    """Whether the merchant is still on its way to the first live commission."""

    @property
    def merchant_id(self) -> str:
        """The merchant's id."""
        return self.merchant.id

    @property
    def name(self) -> str:
        """The merchant's name."""
        return self.merchant.name

    @property
    def accounts(self) -> Mapping[str, str]:
        """The merchant's accounts by mode."""
        return {"test": self.merchant.accounts.test, "live": self.merchant.accounts.live}

    @property
    def account_id(self) -> str:
        """The account that is shown."""
        return self.accounts[self.mode]

    @property
    def is_owner(self) -> bool:
        """Whether the person may act, and not only look."""
        return self.level == "owner"

    def address_in(self, mode: str) -> str:
        """Return where the other mode is shown: here, or at the list if this page is about one object of this mode."""
        here = "/".join(self.visit.address.split("/")[:3]) if self.path else ""
        return f"{here}?mode={mode}"

    def page(self, template: str, status: int = 200, /, **values: Any) -> web.Response:
        """Return a page; its template has this visit as `merchant`."""
        return self.visit.page(template, status, merchant=self, **values)


MerchantHandler = Callable[[MerchantVisit], Awaitable[web.StreamResponse]]


def merchant_page(
    method: str,
    path: str,
    handler: MerchantHandler,
    *,
    viewers: bool | None = None,
    takes_file: bool = False,
    back: Callable[[Visit], str] | None = None,
) -> Page:
    """Return a page for the people of a merchant; viewers may see pages but not act, unless `viewers` says otherwise.

    The handler raises `NotInAccount` for what the account does not have. A proof that an act asks for leads to `back`
    if the form stands elsewhere than on its thing's page.
    """
    for_viewers = method == "GET" if viewers is None else viewers

    async def serve(visit: Visit) -> web.StreamResponse:
        shown = await _shown(visit)
        if shown is None:
            return visit.page("not_found.html", 404)
        if not shown.is_owner and not for_viewers:
            return visit.page(
                "fault.html", 403, title="You can only view", text="An owner of this merchant can do this."
            )
        asked = await unproved(visit, page.grant, back_from_proof(visit, page))
        if asked is not None:
            return asked
        try:
            response = await handler(shown)
        except NotInAccount:
            response = _elsewhere(shown) if method == "GET" else shown.page("not_found.html", 404)
        if method == "GET":
            _keep_choice(shown, response)
        return response

    page = Page(method, path, serve, OWNERS, takes_file=takes_file, proves_later=True, back=back)
    return page


async def _shown(visit: Visit) -> MerchantVisit | None:
    """Return what is shown; None for a merchant or an account that is not the person's."""
    levels = {
        role["merchantId"]: role["level"] or "viewer" for role in visit.person.roles if role["role"] == "merchant"
    }
    kept_merchant, _, kept_mode = visit.cookies.get(CHOICE_COOKIE, "").partition(".")
    merchant_id = visit.query.get("merchant") or (kept_merchant if kept_merchant in levels else next(iter(levels)))
    if merchant_id not in levels or merchant_id is None:
        return None
    async with visit.services.store.read() as tx:
        merchant = await require_merchant(tx, merchant_id)
    usual = kept_mode if kept_mode in LIVE_FIRST else "live" if merchant.status == "APPROVED" else "test"
    mode = visit.query.get("mode") or usual
    if mode not in LIVE_FIRST:
        return None
    sets_up = not await is_set_up(visit.services.store, merchant.accounts.live)
    shown = MerchantVisit(visit, merchant, levels[merchant_id], mode, tuple(filter(None, levels)), sets_up)
    named = visit.form.get("account")
    if named is None or named == shown.account_id:
        return shown
    if named == shown.accounts[OTHER_MODE[mode]]:
        return evolve(shown, mode=OTHER_MODE[mode])
    return None


def _elsewhere(shown: MerchantVisit) -> web.StreamResponse:
    """Lead on to the other mode, unless the address names one; the answer is the same whatever is there."""
    if "mode" in shown.query:
        return shown.page("not_found.html", 404)
    return see_other(f"{shown.visit.address}?{urlencode({**shown.query, 'mode': OTHER_MODE[shown.mode]})}")


def _keep_choice(shown: MerchantVisit, response: web.StreamResponse) -> None:
    if response.status == 200 and ("mode" in shown.query or "merchant" in shown.query):
        response.set_cookie(
            CHOICE_COOKIE,
            f"{shown.merchant_id}.{shown.mode}",
            path="/merchant",
            secure=shown.services.secure,
            httponly=True,
            samesite="Lax",
        )
