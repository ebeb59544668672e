"""Sub-ids come back with clicks and orders; `to` leads into the shop and nowhere else."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from yarl import URL

from hub.domain.orders.sub_ids import LONGEST_SUB, is_sub_id, merged_sub_ids, stored_sub_ids
from hub.operations.affiliates.links import NewLink, create_link, enable_link
from hub.operations.errors import OperatorFault
from hub.operations.orders.conversions import conversions_of_order
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.tracking.test_redirect import SHOP, Visitor, click_of, visitor

__all__ = ["visitor"]


async def subs_of(visitor: Visitor, click: str) -> dict[str, str]:
    """The sub-ids of a stored click."""
    [row] = await visitor.clicks(click)
    async with visitor.hub.parts.store.read() as tx:
        rows = await tx.all("load_clicks", clicks=[(row["account_id"], click)])
    return {} if rows[0]["subs"] is None else dict(json.loads(rows[0]["subs"]))


async def test_a_click_has_the_links_sub_ids_and_those_of_the_visit(visitor: Visitor) -> None:
    """A visit's own win; what is no sub-id is left out, and the shop sees none of them."""
    code = await visitor.link(subs='{"sub1":"blog","sub2":"spring"}')
    _, location, _ = await visitor.visit(code, query="?sub2=summer&sub5=%C3%BCber%20all&sub6=x&utm_source=y")
    assert await subs_of(visitor, click_of(location)) == {"sub1": "blog", "sub2": "summer", "sub5": "über all"}
    assert set(URL(location).query) == {"affiliate_click_id", "aff_id"}
    bare = click_of((await visitor.visit(await visitor.link(code="bare")))[1])
    assert await subs_of(visitor, bare) == {}


@pytest.mark.parametrize("value", ["", "%20", "a" * (LONGEST_SUB + 1), "a%00b", "a%0Ab", "%E2%80%AE", "%FF"])
async def test_a_buyer_reaches_the_shop_whatever_is_appended(visitor: Visitor, value: str) -> None:
    """What cannot be a sub-id is left out, not cut; the click counts."""
    _, location, _ = await visitor.visit(await visitor.link(), query=f"?sub1={value}&sub2=kept")
    kept = await subs_of(visitor, click_of(location))
    assert kept.pop("sub2") == "kept"
    assert all(is_sub_id(left) for left in kept.values())


@pytest.mark.parametrize(
    ("page", "leads_to"),
    [
        ("https://shop.example/deep?a=1#x", "https://shop.example/deep?a=1"),
        ("https://www.shop.example/deep", "https://www.shop.example/deep"),
        ("https://evil.example/", SHOP),
        ("https://shop.example.evil.example/", SHOP),
        ("https://shop.example@evil.example/", SHOP),
        ("//evil.example/", SHOP),
        ("javascript:alert(1)", SHOP),
        ("https://evil.example\\@shop.example/", SHOP),
        ("https://shop.example/\r\nSet-Cookie: a=b", SHOP),
        ("https://shop.example/" + "a" * 2_048, SHOP),
        ("", SHOP),
    ],
)
async def test_a_deep_link_leads_into_the_approved_domains_only(visitor: Visitor, page: str, leads_to: str) -> None:
    """Anything else leads to the link's own page: the buyer arrives, and nobody is sent to a stranger's."""
    status, location, headers = await visitor.visit(await visitor.link(), query=f"?to={quote(page, safe='')}&sub1=a")
    assert (status, "Set-Cookie" in headers) == (302, False)
    assert location.startswith(f"{leads_to}{'&' if '?' in leads_to else '?'}affiliate_click_id=")
    assert await subs_of(visitor, click_of(location)) == {"sub1": "a"}


async def test_an_order_has_the_sub_ids_of_its_click(visitor: Visitor, clock: FakeClock) -> None:
    """They come with the conversion, wherever that is shown."""
    click = click_of((await visitor.visit(await visitor.link(), query="?sub3=mail-7"))[1])
    order = {"externalOrderId": "A-1", "orderAmount": "10.00", "clickId": click}
    assert (await visitor.api("POST", "/v1/conversions", order)).status == 202

    async def found() -> bool:
        shown = await conversions_of_order(visitor.hub.parts.store, clock, "A-1")
        return [each.sub_ids for each in shown] == [{"sub3": "mail-7"}]

    await until(found)


async def test_a_links_own_sub_ids_are_checked_when_it_is_made(visitor: Visitor, clock: FakeClock) -> None:
    """Unlike a visit's, they have somebody to be refused to."""
    store, merchant_id = visitor.hub.parts.store, visitor.api.key.merchant_id
    wanted = NewLink(merchant_id, "test", visitor.affiliate_id, sub_ids={"sub2": " b ", "sub1": "a", "sub3": ""})
    made = await create_link(store, clock, "http://hub.example", wanted)
    assert list(made.sub_ids.items()) == [("sub1", "a"), ("sub2", "b")]
    assert await subs_of(visitor, click_of((await visitor.visit(made.code))[1])) == made.sub_ids
    for wrong in ({"sub6": "x"}, {"sub1": "a" * 65}, {"sub1": "a\nb"}):
        with pytest.raises(OperatorFault, match="is not a sub-id"):
            await create_link(store, clock, "", NewLink(merchant_id, "test", visitor.affiliate_id, sub_ids=wrong))


async def test_an_affiliate_switches_its_own_links_off_and_on(visitor: Visitor, clock: FakeClock) -> None:
    """Not another's, and not on again what the operator switched off, even if it was off before."""
    store, code, own = visitor.hub.parts.store, await visitor.link(), visitor.affiliate_id
    assert (await enable_link(store, clock, "", code, enabled=False, affiliate_id=own)).disabled_at is not None
    assert (await enable_link(store, clock, "", code, enabled=True, affiliate_id=own)).disabled_at is None
    with pytest.raises(OperatorFault, match="There is no link"):
        await enable_link(store, clock, "", code, enabled=False, affiliate_id="aff_other")
    await enable_link(store, clock, "", code, enabled=False, affiliate_id=own)
    await enable_link(store, clock, "", code, enabled=False)
    with pytest.raises(OperatorFault, match="operator disabled this link"):
        await enable_link(store, clock, "", code, enabled=True, affiliate_id=own)
    assert (await enable_link(store, clock, "", code, enabled=True)).disabled_at is None


def test_equal_sub_ids_are_stored_as_equal_text() -> None:
    """Reports group by that text."""
    first = merged_sub_ids({"sub2": "b"}, {"sub1": "a"})
    assert (
        stored_sub_ids(first)
        == stored_sub_ids(merged_sub_ids({"sub1": "a"}, {"sub2": "b"}))
        == '{"sub1":"a","sub2":"b"}'
    )
    assert stored_sub_ids({}) is None
