"""The partners of a merchant, sorted by the database: the best of any number, walked there and back."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing

import pytest
from attrs import evolve

from hub.domain.orders.figures import day_of
from hub.operations.figures.figures import Period
from hub.operations.figures.partners import (
    Of,
    Partner,
    asked_partners,
    counted_partners,
    list_partners,
    partner_of,
    partners_csv,
)
from hub.operations.lists import Wanted
from hub.storage import Store
from tests.operations.test_placed_orders import MERCHANT, NOON

TODAY = day_of(NOON)
OF = Of("acc_live", "mer", "live", "USD", Period(TODAY - 29, TODAY))
PARTNERS = 300
AFFILIATE = "INSERT INTO affiliates (affiliate_id, name, email, status, created_at) VALUES (?1, ?2, ?3, 'ACTIVE', 1)"
CAMPAIGN = (
    "INSERT INTO campaigns (account_id, campaign_id, campaign_code, title, status, approval_status,"
    " approval_required, listed, joining, cookie_duration_days, created_at, updated_at)"
    " VALUES ('acc_live', 'cmp', 'C', 'Spring', 'ACTIVE', 'NOT_REQUIRED', 0, 0, 'OPEN', 30, 1, 1)"
)
MEMBER = "INSERT INTO memberships VALUES ('acc_live', 'cmp', ?1, ?2, ?3, ?4, NULL, NULL, ?5, NULL)"
LINK = (
    "INSERT INTO links (account_id, code, affiliate_id, destination, created_at)"
    " VALUES ('acc_live', 'L' || ?1, ?1, 'https://shop.example', 5)"
)
SUMS = (
    "INSERT INTO daily_figures VALUES ('acc_live', ?1, '*', ?2, ?3, ?4, ?5, 0, ?6, 0, 0, ?7,"
    " 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)"
)
INVITED = (
    "INSERT INTO partner_invitations"
    " VALUES ('acc_live', 'guest@x.example', 'Guest@x.example', NULL, 'usr', 7, NULL, NULL)"
)
STATES = ("APPLIED", "APPROVED", "REJECTED", None)


@pytest.fixture
def account(sqlite_url: str) -> str:
    """An account with partners of every state; two of three sell, some in two currencies."""
    dice = random.Random(3)
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as db, db:
        db.execute(MERCHANT)
        db.execute("INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('acc_live', 'mer', 'live')")
        db.execute(CAMPAIGN)
        db.execute(INVITED)
        for n in range(PARTNERS):
            affiliate, state = f"aff_{n:03}", STATES[0] if n % 50 == 0 else dice.choice(STATES[1:])
            db.execute(AFFILIATE, (affiliate, f"{'bB'[n % 2]}log {n % 40}", f"{n}@blog.example"))
            if state is None:
                db.execute(LINK, (affiliate,))
            else:
                rate = ("PERCENTAGE", "9") if n % 9 == 0 else (None, None)
                db.execute(MEMBER, (affiliate, state, *rate, dice.randrange(1, 90)))
            for currency in ("USD", "EUR")[: n % 3]:
                for day in range(2):
                    sums = (TODAY - day, affiliate, currency, 2, 1, dice.randrange(40) * 100, dice.randrange(9))
                    db.execute(SUMS, sums)
            db.execute(SUMS, (TODAY - 40, affiliate, "USD", 9, 9, 999_999, 9_999))
    return sqlite_url


def total(partner: Partner, what: str) -> int:
    return sum([getattr(each, what) for each in partner.money if each.currency == "USD"])


KEYS: Mapping[str, Callable[[Partner], int | str]] = {
    "sales": lambda each: total(each, "sales_minor"),
    "earned": lambda each: total(each, "earned_minor"),
    "orders": lambda each: each.orders,
    "clicks": lambda each: each.clicks,
    "since": lambda each: each.since,
    "name": lambda each: each.name.lower(),
}


async def walked(store: Store, wanted: Wanted) -> list[Partner]:
    """All pages, one after the other; and back again, which shows the same."""
    pages = [await list_partners(store, OF, wanted)]
    while pages[-1].following is not None:
        pages.append(await list_partners(store, OF, evolve(wanted, cursor=pages[-1].following)))
    back, cursor = list[Partner](), pages[-1].older if wanted.oldest_first else pages[-1].newer
    while cursor is not None:
        page = await list_partners(store, OF, evolve(wanted, cursor=cursor))
        back, cursor = [*page.entries, *back], page.older if wanted.oldest_first else page.newer
    found = [each for page in pages for each in page.entries]
    assert [*back, *pages[-1].entries] == found
    return found


@pytest.mark.parametrize("sort", KEYS)
async def test_partners_are_sorted_and_walked_there_and_back(account: str, sort: str) -> None:
    """Who waits for a decision is first, except by name; figures before the period count for nothing."""
    async with await Store.open(account) as store:
        found = await walked(store, evolve(asked_partners(OF, sort), limit=17))
        other = f"{sort}-{'down' if sort == 'name' else 'up'}"
        reverse = await walked(store, evolve(asked_partners(OF, other), limit=17))
    assert len({each.affiliate_id or each.email for each in found}) == len(found) == PARTNERS + 1
    places = [(sort == "name" or each.state == "APPLIED", KEYS[sort](each)) for each in found]
    assert places == sorted(places, reverse=sort != "name")
    assert reverse == found[::-1]


async def test_states_are_counted_and_a_text_is_found(account: str) -> None:
    async with await Store.open(account) as store:
        every = await walked(store, evolve(asked_partners(OF), limit=200))
        counts = await counted_partners(store, OF)
        assert counts == {state: len([each for each in every if each.state == state]) for state in counts}
        assert counts["APPLIED"] == 6
        for state, number in counts.items():
            assert len(await walked(store, evolve(asked_partners(OF, "name", state), limit=200))) == number
        assert [each.name for each in await walked(store, asked_partners(OF, search="GUEST@"))] == ["Guest@x.example"]
        assert {each.name.lower() for each in await walked(store, asked_partners(OF, search="blog 7"))} == {"blog 7"}
        lines = b"".join([part async for part in partners_csv(store, OF, asked_partners(OF), "https://h/p")]).decode()
    assert len(lines.splitlines()) == 1 + sum(max(1, len(each.money)) for each in every)
    assert {each.own_rate for each in every} == {None, ("PERCENTAGE", "9")}


async def test_one_partner_is_read_as_the_list_has_it(account: str) -> None:
    """By its own rows: its page needs no list. Somebody invited, and a stranger, have no page."""
    async with await Store.open(account) as store:
        for each in await walked(store, evolve(asked_partners(OF), limit=200)):
            alone = await partner_of(store, OF, each.affiliate_id)
            assert (each.state == "INVITED") is (alone is None)
            if alone is not None:
                assert (len(alone.memberships), evolve(alone, memberships=())) == (each.state != "ACTIVE", each)
        assert await partner_of(store, OF, "aff_none") is None
