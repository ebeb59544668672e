"""Tracking links: their destinations, whether their clicks earn, and the URL a buyer is redirected to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

import orjson
from attrs import frozen

from hub.clock import Clock
from hub.domain.orders.campaigns import effective_status
from hub.domain.orders.catalog import ascii_host, url_fault
from hub.storage import Row, Store
from hub.ttl_cache import TtlCache

CODE = re.compile(r"[0-9A-Za-z_-]{1,64}")
SHORT = re.compile(r"[0-9A-Za-z-]{1,40}")
"""What may be asked for as a short address; `hub/operations/affiliates/short_links.py` gives fewer."""
PARAMETERS = ("affiliate_click_id", "aff_id", "aff_days")
USUAL_DAYS = 30
"""For how long a shop keeps a click that does not say so: no address needs to."""
ASCII = "".join(map(chr, range(33, 127)))
LONGEST_PAGE = 2_048
"""Characters of a deep link's page; a longer one is not followed."""


class Address(NamedTuple):
    """Where a link leads: `plain` without a click, else what stands `around` the click's id, each time it is named."""

    plain: str
    around: tuple[str, ...]

    def of(self, click_id: str | None) -> str:
        """Return the URL for the buyer; that of a click has its parameters besides the destination's own."""
        return self.plain if click_id is None else click_id.join(self.around)


@frozen
class Link:
    """A tracking link; `domains` are those to which it may lead, `sub_ids` are those of every click on it.

    `status` is its campaign's stored status, None without a campaign; times are milliseconds UTC.
    """

    account_id: str
    code: str
    affiliate_id: str
    campaign_id: str | None
    address: Address
    domains: tuple[str, ...]
    sub_ids: Mapping[str, str]
    status: str | None
    start_at: int | None
    end_at: int | None
    keeps_visitor: bool = False
    """Whether the policy of the campaign asks its clicks to keep their visitor's hash."""
    days: int | None = None
    """For how many days the campaign wants its clicks kept, None if it does not say."""
    parameters: tuple[tuple[str, str], ...] = ()
    """Names and values that the shop's own platform keeps with an order, with {click} and {affiliate} for ids."""
    may_earn: bool = True
    """False if the link is disabled, its affiliate inactive, or its merchant suspended, rejected or closed."""

    def earns(self, now: int) -> bool:
        """Return whether a click counts at `now` (ms UTC): nothing stops the link, and its campaign is live."""
        if not self.may_earn:
            return False
        if self.campaign_id is None:
            return True
        started = self.start_at is None or self.start_at <= now
        return started and self.status is not None and effective_status(self.status, self.end_at, now) == "ACTIVE"

    def leading_to(self, page: str | None) -> Address:
        """Return the address of a page of the shop; None, and any page outside its domains, is the destination."""
        if page is None or len(page) > LONGEST_PAGE or url_fault(page, self.domains) is not None:
            return self.address
        return read_address(page, self.affiliate_id, self.days, self.parameters)


class LinkCache:
    """Finds links by their code or short address, each at most two seconds stale."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._cache = TtlCache(self._load, clock)
        self._codes = TtlCache(self._code_of, clock)

    async def find(self, code: str, now: int) -> Link | None:
        """Return the link of this code if it leads to an approved domain, else None; raise `StoreUnavailable`."""
        return await self._cache.get(code, now) if CODE.fullmatch(code) else None

    async def find_short(self, short: str, now: int) -> Link | None:
        """Return the link that has this short address, in any case, as `find` returns it."""
        code = await self._codes.get(short.lower(), now) if SHORT.fullmatch(short) else None
        return None if code is None else await self.find(code, now)

    def forget(self) -> None:
        """Look links up again from now on."""
        self._cache.forget()
        self._codes.forget()

    async def _code_of(self, short: str) -> str | None:
        row = await self._store.fetch_one("code_of_short", short=short)
        return None if row is None else str(row["code"])

    async def _load(self, code: str) -> Link | None:
        row = await self._store.fetch_one("link_of_code", code=code)
        if row is None or url_fault(row["destination"], orjson.loads(row["domains"])) is not None:
            return None
        return read_link(row)


def read_link(row: Row) -> Link:
    """Return the link of a row of `link_of_code`."""
    own = row["link_parameters"]
    parameters = () if own is None else tuple((name, value) for name, value in orjson.loads(own))
    return Link(
        account_id=row["account_id"],
        code=row["code"],
        affiliate_id=row["affiliate_id"],
        campaign_id=row["campaign_id"],
        address=read_address(row["destination"], row["affiliate_id"], row["cookie_duration_days"], parameters),
        domains=tuple(orjson.loads(row["domains"])),
        sub_ids={} if row["subs"] is None else orjson.loads(row["subs"]),
        status=row["status"],
        start_at=row["start_at"],
        end_at=row["end_at"],
        keeps_visitor=row["attribution"] is not None and orjson.loads(row["attribution"])["flagsVisitors"],
        days=row["cookie_duration_days"],
        parameters=parameters,
        may_earn=bool(row["may_earn"]),
    )


def read_address(
    page: str, affiliate_id: str, days: int | None = None, parameters: Sequence[tuple[str, str]] = ()
) -> Address:
    """Return the address of a page in ASCII, as a header needs it, without parameters of our names.

    A click of a campaign that names another number of `days` than usual says so. `parameters` are those that the shop's
    platform keeps by itself.
    """
    reserved = {*PARAMETERS, *(name for name, _ in parameters)}
    parts = urlsplit(page)
    host = ascii_host(parts.hostname or "") or ""
    port = f":{parts.port}" if parts.port is not None else ""
    kept = [pair for pair in parts.query.split("&") if pair and unquote(pair.partition("=")[0]) not in reserved]
    start = f"{parts.scheme}://{host}{port}{quote(parts.path, safe=ASCII) or '/'}"
    query = quote("&".join(kept), safe=ASCII)
    fragment = "#" + quote(parts.fragment, safe=ASCII) if parts.fragment else ""
    click, affiliate, kept_days = PARAMETERS
    window = "" if days in (None, USUAL_DAYS) else f"&{kept_days}={days}"
    who = quote(affiliate_id, safe="")
    own = "".join(f"&{name}={value.replace('{affiliate}', who)}" for name, value in parameters)
    *between, last = f"&{affiliate}={who}{window}{own}".split("{click}")
    return Address(
        plain=f"{start}?{query}{fragment}" if query else start + fragment,
        around=(f"{start}?{query}&{click}=" if query else f"{start}?{click}=", *between, last + fragment),
    )
