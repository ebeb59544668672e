"""One reader of lists: parts in both directions and orders, filters without an index, and cursors of nothing else."""

from __future__ import annotations

import base64

import pytest

from hub.operations import lists
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.link_lists import LINKS
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.lists import CursorFault, List, Wanted, every, read
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.references import account_id_of
from hub.storage import QueryFault, Store
from hub.testing.clock import FakeClock

CODES = 11


@pytest.fixture
async def account(store: Store, clock: FakeClock) -> str:
    """An account with eleven links, two of each millisecond, of which every other is Bea's."""
    made = await create_merchant(store, clock, NewMerchant("Shop", "a@shop.example", ["shop.example"], approve=True))
    people = [await create_affiliate(store, clock, name=name, email=f"{name}@b.example") for name in ("Ann", "Bea")]
    for number in range(CODES):
        await create_link(store, clock, "", NewLink(made.id, "test", people[number % 2].id))
        clock.advance(number % 2)
    return await account_id_of(store, made.id, "test")


async def codes(store: Store, wanted: Wanted) -> list[str]:
    return [row["code"] async for row in every(store, LINKS, wanted)]


@pytest.mark.parametrize("sort", ["created_at", "code"])
@pytest.mark.parametrize("oldest_first", [False, True])
async def test_a_list_is_walked_to_its_end_and_back(store: Store, account: str, sort: str, oldest_first: bool) -> None:
    """The parts are the same on the way back, neither repeat nor drop an entry, and are in the order of the key."""
    wanted = Wanted(limit=4, sort=sort, oldest_first=oldest_first)
    within = {"account_id": account}
    there = [await read(store, LINKS, wanted, within)]
    while there[-1].following is not None:
        there.append(await read(store, LINKS, _at(wanted, there[-1].following), within))
    back = [there[-1]]
    while (cursor := back[-1].older if oldest_first else back[-1].newer) is not None:
        back.append(await read(store, LINKS, _at(wanted, cursor), within))
    rows = [row for page in there for row in page.entries]
    assert [len(page.entries) for page in there] == [4, 4, 3]
    assert len({row["code"] for row in rows}) == CODES
    keys = [(row["created_at"], row["code"]) if sort == "created_at" else row["code"] for row in rows]
    assert keys == sorted(keys, reverse=not oldest_first)
    assert [page.entries for page in back[::-1]] == [page.entries for page in there]


async def test_an_entry_that_is_added_meanwhile_neither_repeats_nor_drops_others(
    store: Store, account: str, clock: FakeClock
) -> None:
    first = await read(store, LINKS, Wanted(limit=6), {"account_id": account})
    merchant, affiliate = first.entries[0]["merchant_id"], first.entries[0]["affiliate_id"]
    clock.advance(1)
    added = await create_link(store, clock, "", NewLink(merchant, "test", affiliate))
    rest = await read(store, LINKS, Wanted(limit=6, cursor=first.older), {"account_id": account})
    assert len({row["code"] for row in (*first.entries, *rest.entries)}) == CODES
    newer = await read(store, LINKS, Wanted(limit=6, cursor=rest.newer), {"account_id": account})
    assert newer.entries == first.entries
    newest = await read(store, LINKS, Wanted(limit=6, cursor=newer.newer), {"account_id": account})
    assert [row["code"] for row in newest.entries] == [added.code]


async def test_a_filter_without_an_index_is_bounded_and_says_how_far_it_looked(
    store: Store, account: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page looks through four links, and shows those that match; the last page has fewer to look through."""
    affiliate = (await read(store, LINKS, Wanted(limit=1), {"account_id": account})).entries[0]["affiliate_id"]
    every_code = await codes(store, Wanted({"affiliate_id": affiliate}))
    monkeypatch.setattr(lists, "DEPTH", 4)
    wanted = Wanted({"affiliate_id": affiliate}, limit=50)
    pages = [await read(store, LINKS, wanted, {"account_id": account})]
    while pages[-1].older is not None:
        pages.append(await read(store, LINKS, _at(wanted, pages[-1].older), {"account_id": account}))
    assert [row["code"] for page in pages for row in page.entries] == every_code
    assert [page.looked_at for page in pages] == [4, 4, 0]
    assert all(len(page.entries) < 4 for page in pages)


async def test_a_page_that_is_full_before_its_depth_goes_on_behind_its_last_entry(store: Store, account: str) -> None:
    page = await read(store, LINKS, Wanted({"mode": "test"}, limit=3), {"account_id": account})
    assert (len(page.entries), page.looked_at) == (3, 0)
    assert page.older is not None


async def test_another_accounts_links_are_no_part_of_the_list(store: Store, account: str) -> None:
    assert len(await codes(store, Wanted({"account_id": account}))) == CODES
    assert (await read(store, LINKS, Wanted(), {"account_id": "acc_other"})).entries == []
    both = await read(store, LINKS, Wanted({"account_id": account}), {"account_id": "acc_other"})
    assert both.entries == [], "what a reader asks for goes before its own account"


async def test_a_cursor_of_anything_else_is_refused(store: Store, account: str) -> None:
    wanted = Wanted(limit=1)
    cursor = (await read(store, LINKS, wanted, {"account_id": account})).older
    assert cursor is not None
    for other in (
        Wanted(cursor=cursor, oldest_first=True),
        Wanted(cursor=cursor, sort="code"),
        *(Wanted(cursor=text) for text in ("", "x", "!", "bmV3")),
        *(Wanted(cursor=written(*lines)) for lines in STRANGE),
    ):
        with pytest.raises(CursorFault, match="must be the cursor of a page of this list"):
            await read(store, LINKS, other, {"account_id": account})


STRANGE = (
    ("affiliates", "created_at", "newest", "older", "1", "a"),
    ("links", "created_at", "newest", "sideways", "1", "a"),
    ("links", "created_at", "newest", "older", "1"),
    ("links", "created_at", "newest", "older", "1", "a", "b"),
    ("links", "created_at", "newest", "older", "soon", "a"),
    ("links", "created_at", "newest", "older", "9" * 40, "a"),
    ("links", "created_at", "newest", "older", "1", "a\0"),
)


async def test_a_list_is_not_read_without_what_its_index_needs(store: Store) -> None:
    """By code, links are read of one account: a reader that forgot the account is told so, and not given all."""
    with pytest.raises(QueryFault, match="none of its indexed sets"):
        await read(store, LINKS, Wanted(sort="code"))
    with pytest.raises(QueryFault, match="no filter"):
        await read(store, LINKS, Wanted({"colour": "red"}))
    with pytest.raises(QueryFault, match="no key"):
        await read(store, LINKS, Wanted(sort="colour"))


def test_control_a_written_cursor_is_read() -> None:
    way, place = List("links").start(Wanted(cursor=written("links", "created_at", "newest", "older", "1", "a")))
    assert (way, place) == ("older", (1, "a"))


def written(*lines: str) -> str:
    return base64.urlsafe_b64encode("\n".join(lines).encode()).decode().rstrip("=")


def _at(wanted: Wanted, cursor: str) -> Wanted:
    return Wanted(wanted.filters, wanted.limit, cursor, wanted.oldest_first, wanted.sort)
