"""/operator/receipts: a statement is sent in by a form, and what it leaves open is decided."""

from __future__ import annotations

import aiohttp
import pytest

from hub.app import Hub
from hub.pages.operator import bank_reports
from hub.testing.clock import FakeClock
from tests.pages.visitor import Seen, Visitor, browser, enter, seen, user_of
from tests.pages.world import world_of

HERE = "/operator/receipts"


async def send_file(visitor: Visitor, csrf: str, content: bytes) -> Seen:
    form = aiohttp.FormData({"csrf": csrf})
    form.add_field("statement", content, filename="statement.csv")
    async with visitor.session.post(HERE, data=form, allow_redirects=False) as response:
        return await seen(response)


async def test_a_statement_is_read_and_its_question_decided(
    hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent twice it books nothing twice; what is no number, no file and no statement is said beside the form."""
    monkeypatch.setattr(bank_reports, "PATIENCE_SECONDS", 60)
    world = await world_of(hub, clock, "Aurora")
    async with browser(hub) as ann:
        await user_of(hub, clock)
        await enter(ann, hub, clock)
        csrf = (await ann.get("/account")).csrf
        about = {"csrf": csrf}
        file = b"bookedOn,amount,currency,payer,remittance\n2026-11-29,8.00,EUR,Bea,hello\n"
        for _ in range(2):
            sent = await send_file(ann, csrf, file)
            assert sent.location == f"{HERE}?status=OPEN&done=read"
        words = (await ann.get(f"{HERE}?status=OPEN")).words
        assert (words.count("Bea"), "It names no open invoice" in words) == (1, True)
        assert "lacks currency" in (await send_file(ann, csrf, file.replace(b"EUR", b""))).words
        one = f"{HERE}/{world.ids['receipt']}"
        assert "invoice is a whole number" in (await ann.post(f"{one}/assign", {**about, "invoice": "x"})).words
        assert "There is no invoice" in (await ann.post(f"{one}/assign", {**about, "invoice": "7"})).words
        closed = await ann.post(f"{one}/close", {**about, "reason": "Not ours"})
        assert closed.location == f"{one}?done=answered"
        assert "Not ours" in (await ann.get(one)).words
        missing = await ann.post(f"{HERE}/set-off", {**about, "credit": "1", "invoice": "2"})
        assert (missing.status, "There is no invoice" in missing.words) == (422, True)
        assert (await ann.get(f"{HERE}/rcp_none")).status == 404
