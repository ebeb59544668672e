"""What affiliates see of their own: sums, commissions, links and reports, and nothing of another's."""

from __future__ import annotations

import asyncio

import pytest

from hub.clock import system_clock
from hub.domain.durations import DAY
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import enable_link
from hub.operations.errors import OperatorFault
from hub.operations.figures.affiliate_figures import report
from hub.operations.figures.figures import Period
from hub.operations.lists import Wanted
from hub.operations.orders.affiliate_reports import (
    list_own_links,
    own_commissions,
    own_commissions_of_order,
    show_own_commission,
    sums_of_affiliate,
)
from hub.operations.orders.order_messages import (
    MOST_MESSAGES,
    Notices,
    read_thread,
    threads_of_account,
    threads_of_affiliate,
    write_message,
)
from hub.operations.system.mails import list_mails
from hub.operations.trail_lists import list_acts
from hub.processing.figures import FigureCounter
from hub.sealing import load_sealer
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.sqlite_first import database_url
from tests.tracking.test_redirect import Visitor, click_of, visitor

__all__ = ["database_url", "visitor"]
CODE = "abc123"
LATELY = Period(0, 100_000)
"""All days there are."""


async def order(visitor: Visitor, name: str, query: str = "", code: str = CODE) -> str:
    """Visit a link, report an order by the click, and return its commission's id."""
    click = click_of((await visitor.visit(code, query=query))[1])
    body = {"externalOrderId": name, "orderAmount": "100.00", "clickId": click}
    assert (await visitor.api("POST", "/v1/conversions", body)).status == 202
    store, own = visitor.hub.parts.store, visitor.affiliate_id

    async def decided() -> bool:
        return bool((await own_commissions_of_order(store, own, "test", name)).entries)

    await until(decided)
    (found,) = (await own_commissions_of_order(store, own, "test", name)).entries
    return str(found.commission_id)


async def test_an_affiliate_sees_its_own_and_nothing_of_anothers(visitor: Visitor, clock: FakeClock) -> None:
    """The other one has the same merchant, and finds nothing by any way."""
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    code = await visitor.link(code=CODE, subs='{"sub1":"blog"}')
    commission_id = await order(visitor, "A-1")
    other = (await create_affiliate(store, clock, name="Cy", email="cy@blog.example")).id
    (found,) = (await own_commissions(store, own, "test", Wanted())).entries
    assert (found.external_order_id, found.code, found.sub_ids) == ("A-1", code, {"sub1": "blog"})

    async def summed() -> bool:
        return bool((await sums_of_affiliate(store, own))["test"])

    await until(summed)
    (total,) = (await sums_of_affiliate(store, own))["test"]
    assert (total.commissions, total.amount_minor, total.state) == (1, found.amount_minor, found.state)
    assert (await show_own_commission(store, own, commission_id)).conversion.external_order_id == "A-1"
    assert [link.code for link in (await list_own_links(store, clock, own, "test", Wanted(limit=5))).entries] == [code]

    assert await sums_of_affiliate(store, other) == {"test": [], "live": []}
    assert (await own_commissions(store, other, "test", Wanted())).entries == []
    assert (await list_own_links(store, clock, other, "test", Wanted(limit=5))).entries == []
    assert (await report(store, other, "test", "link", LATELY)).lines == []
    with pytest.raises(OperatorFault, match="There is no commission"):
        await show_own_commission(store, other, commission_id)


async def test_lists_go_on_where_a_page_ended(visitor: Visitor, clock: FakeClock) -> None:
    """Commissions by their id, links by the time they were made and their code."""
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    for code in ("bbb", "aaa"):
        await visitor.link(code=code)
    clock.now += 1
    await visitor.link(code="ccc")
    first = await list_own_links(store, clock, own, "test", Wanted(limit=2))
    rest = await list_own_links(store, clock, own, "test", Wanted(limit=2, cursor=first.older))
    assert [link.code for link in (*first.entries, *rest.entries)] == ["ccc", "bbb", "aaa"]
    older, newer = await order(visitor, "A-1", code="aaa"), await order(visitor, "A-2", code="aaa")
    page = await own_commissions(store, own, "test", Wanted(limit=1))
    assert [each.commission_id for each in page.entries] == [newer]
    page = await own_commissions(store, own, "test", Wanted(limit=9, cursor=page.older))
    assert [each.commission_id for each in page.entries] == [older]
    by_link = await own_commissions(store, own, "test", Wanted({"code": "bbb"}))
    assert by_link.entries == []


async def test_a_report_counts_by_link_sub_id_and_day(visitor: Visitor, clock: FakeClock) -> None:
    """Rejected orders count but earn nothing; what has no sub-id is a line of its own; a period has an end."""
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    code = await visitor.link(code=CODE)
    await order(visitor, "A-1", "?sub1=mail&sub2=x")
    await order(visitor, "A-2", "?sub1=mail")
    await visitor.visit(code, query="?sub1=site")
    gone = {"externalOrderId": "A-2", "status": "cancelled"}
    assert (await visitor.api("POST", "/v1/order-status", gone)).status == 202

    async def cancelled() -> bool:
        await FigureCounter(store, lambda: system_clock() + 60_000, asyncio.sleep).count()
        return (await report(store, own, "test", "sub1", LATELY)).total.rejected == 1

    await until(cancelled)
    by_sub = await report(store, own, "test", "sub1", LATELY)
    (earned,) = by_sub.total.earned.values()
    assert earned > 0
    assert [(each.name, each.clicks, each.orders, each.rejected) for each in by_sub.lines] == [
        ("mail", 2, 2, 1),
        ("site", 1, 0, 0),
    ]
    assert by_sub.lines[0].earned == by_sub.total.earned
    by_other = await report(store, own, "test", "sub2", LATELY)
    assert [(each.name, each.clicks, each.orders) for each in by_other.lines] == [("x", 1, 1), ("", 2, 1)]
    by_link = await report(store, own, "test", "link", LATELY)
    assert [(each.name, each.clicks, each.orders) for each in by_link.lines] == [(code, 3, 2)]
    by_campaign = await report(store, own, "test", "campaign", LATELY)
    assert [(each.name, each.clicks, each.orders) for each in by_campaign.lines] == [("", 3, 2)]
    by_day = await report(store, own, "test", "day", LATELY)
    assert [(each.key, each.clicks, each.orders) for each in by_day.lines] == [(str(clock() // DAY), 3, 2)]
    assert by_day.total.earned == by_sub.total.earned
    assert (await report(store, own, "test", "sub1", Period(0, 1))).lines == []
    assert (await report(store, own, "live", "link", LATELY)).lines == []


async def test_a_stopped_link_says_why(visitor: Visitor, clock: FakeClock) -> None:
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    code = await visitor.link(code=CODE)
    (link,) = (await list_own_links(store, clock, own, "test", Wanted(limit=5))).entries
    assert (link.stopped, link.disabled_by) == (None, None)
    await enable_link(store, clock, "", code, enabled=False, affiliate_id=own)
    (link,) = (await list_own_links(store, clock, own, "test", Wanted(limit=5))).entries
    assert (link.stopped, link.disabled_by) == ("It is switched off.", link.affiliate_id)


async def test_both_sides_write_about_an_order_and_see_what_is_new(visitor: Visitor, clock: FakeClock) -> None:
    """A message is new until the other side opens the thread, and the trail has who wrote but not what."""
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    await visitor.link(code=CODE)
    details = await show_own_commission(store, own, await order(visitor, "A-1"))
    conversion_id, account_id = details.conversion.conversion_id, details.conversion.account_id
    await write_message(store, clock, conversion_id, "affiliate", " Why so little?\nIt was more. ", owner=own)
    (thread,) = (await threads_of_account(store, account_id, Wanted())).entries
    assert (thread.messages, thread.unread, thread.unread_by_merchant) == (1, 0, 1)
    (message,) = await read_thread(store, clock, conversion_id, "merchant", owner=account_id)
    assert (message.author, message.text) == ("affiliate", "Why so little?\nIt was more.")
    assert ((await threads_of_account(store, account_id, Wanted())).entries)[0].unread_by_merchant == 0
    await write_message(store, clock, conversion_id, "merchant", "A refund.", owner=account_id)
    assert ((await threads_of_affiliate(store, own, Wanted())).entries)[0].unread == 1
    assert [each.author for each in await read_thread(store, clock, conversion_id, "affiliate", owner=own)] == [
        "affiliate",
        "merchant",
    ]
    assert ((await threads_of_affiliate(store, own, Wanted())).entries)[0].unread == 0
    acts = (await list_acts(store, Wanted({"subject": conversion_id}, limit=9))).entries
    assert [act["act"] for act in acts] == ["conversion.message-written"] * 2
    assert "refund" not in str(acts)


@pytest.mark.parametrize(("side", "owner"), [("affiliate", "aff_other"), ("merchant", "acc_other")])
async def test_nobody_writes_or_reads_about_anothers_order(
    visitor: Visitor, clock: FakeClock, side: str, owner: str
) -> None:
    """It is as unknown as one that never was; the control is the test above."""
    store = visitor.hub.parts.store
    await visitor.link(code=CODE)
    found = await show_own_commission(store, visitor.affiliate_id, await order(visitor, "A-1"))
    conversion_id = found.conversion.conversion_id
    with pytest.raises(OperatorFault, match="There is no conversion"):
        await write_message(store, clock, conversion_id, side, "Hi", owner=owner)  # type: ignore[arg-type]  # a parameter
    with pytest.raises(OperatorFault, match="There is no conversion"):
        await read_thread(store, clock, conversion_id, side, owner=owner)  # type: ignore[arg-type]  # a parameter


async def test_the_other_side_is_noticed_by_mail_once(visitor: Visitor, clock: FakeClock) -> None:
    """Further messages that it has not seen make no further mail; the mail names the order, not the words."""
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    await visitor.link(code=CODE)
    details = await show_own_commission(store, own, await order(visitor, "A-1"))
    conversion_id, account_id = details.conversion.conversion_id, details.conversion.account_id
    notices = Notices(Outbox(load_sealer(visitor.hub.parts.settings), True), "http://hub.example")
    for text in ("Why so little?", "Hello?"):
        await write_message(store, clock, conversion_id, "affiliate", text, owner=own, notices=notices)
    await write_message(store, clock, conversion_id, "merchant", "A refund.", owner=account_id, notices=notices)
    mails = (await list_mails(store, Wanted())).entries
    assert [(mail.to, mail.template) for mail in mails] == [
        ("anna@blog.example", "question"),
        ("ann@shop.example", "question"),
    ]


async def test_a_thread_is_bounded(visitor: Visitor, clock: FakeClock) -> None:
    """In length and in number, so that nobody fills the disk with words."""
    store, own = visitor.hub.parts.store, visitor.affiliate_id
    await visitor.link(code=CODE)
    details = await show_own_commission(store, own, await order(visitor, "A-1"))
    conversion_id = details.conversion.conversion_id
    for text in ("", "  ", "a" * 2_001, "a\x07b"):
        with pytest.raises(OperatorFault, match="A message has"):
            await write_message(store, clock, conversion_id, "affiliate", text, owner=own)
    for n in range(MOST_MESSAGES):
        await write_message(store, clock, conversion_id, "affiliate", f"{n}", owner=own)
    with pytest.raises(OperatorFault, match="please talk to each other"):
        await write_message(store, clock, conversion_id, "affiliate", "more", owner=own)
