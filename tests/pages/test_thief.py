"""Who has an affiliate's password silences nobody; and what payees say stands in clear nowhere that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
from attrs import frozen

from hub.acts.authority import FRESH_MS
from hub.app import Hub
from hub.config.payout_section import PayoutSettings
from hub.domain.durations import DAY
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.lists import Wanted as WantedPart
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.trail import note_act
from hub.operations.trail_lists import list_acts
from hub.operations.users.users import NewUser, create_user
from hub.storage.sqlite.backup import back_up
from hub.testing.clock import FakeClock
from tests.logged import server_log
from tests.pages.conftest import owed
from tests.pages.test_second_person import MAIL
from tests.pages.visitor import PASSWORD, Visitor, browser, enter, with_password
from tests.served_hub import new_merchant, served
from tests.stored_payloads import mails_to
from tests.token_api.callers import ADMIN, program, token

IBAN = "DE89370400440532013000"
PAYEE = {
    "legal_name": "Canarina Vogelsang", "street": "Kanarienweg 77", "postal_code": "99817", "city": "Zwitscherhausen",
    "country": "DE", "method": "iban", "account": IBAN, "tax_id": "DE136695976", "business": "1", "self_billing": "1",
}  # fmt: skip
CANARIES = ("Canarina", "Vogelsang", "Kanarienweg", "Zwitscherhausen", IBAN, "DE89 3704", "136695976",
            "birdcage@zwitscher.example")  # fmt: skip
"""What no file may hold."""
SETTINGS, PAY = "/affiliate/settings", "/affiliate/payee"


@frozen
class Shop:
    """A hub with mail and an affiliate that has money coming, whose person Ada has signed in."""

    hub: Hub
    clock: FakeClock
    affiliate: str
    ada: Visitor

    async def mails(self, to: str) -> str:
        return " ".join(await mails_to(self.hub, to))


@pytest.fixture
async def shop(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Shop]:
    async with served(sqlite_url, clock, **MAIL) as hub, browser(hub) as ada:
        merchant = await new_merchant(hub, clock, "Fern", approve=True)
        made = await create_affiliate(hub.parts.store, clock, name="Ada's post", email="desk@post.example")
        await owed(hub, clock, f"{merchant}:live", made.id, "120.00")
        await create_user(hub.parts.store, clock, NewUser("ada@post.example", "affiliate", affiliate_id=made.id))
        await with_password(ada, hub, clock, "ada@post.example")
        yield Shop(hub, clock, made.id, ada)


async def test_a_thief_of_a_password_silences_nobody(shop: Shop) -> None:
    """Another address asks for a proof and tells the old one; where the money goes is told to all three."""
    shop.clock.now += FRESH_MS
    asked = await shop.ada.send(SETTINGS, name="Ada", email="thief@evil.example")
    assert (asked.location or "").startswith("/login/confirm")
    await shop.ada.send("/login/confirm", password=PASSWORD, then=SETTINGS)
    assert (await shop.ada.send(SETTINGS, name="Ada", email="thief@evil.example")).location == f"{SETTINGS}?done=saved"
    assert "go to thief@evil.example from now on" in await shop.mails("desk@post.example")
    assert "go to thief@evil.example from now on" in await shop.mails("ada@post.example")
    shop.clock.now += 29 * DAY
    await shop.ada.sign_in("ada@post.example", PASSWORD)
    assert (await shop.ada.send(PAY, **PAYEE)).status == 303
    for address in ("desk@post.example", "ada@post.example", "thief@evil.example"):
        assert "Your payment details were changed" in await shop.mails(address), address


async def test_control_after_a_month_the_old_address_hears_no_more(shop: Shop) -> None:
    await shop.ada.send(SETTINGS, name="Ada", email="new@post.example")
    shop.clock.now += 30 * DAY
    await shop.ada.sign_in("ada@post.example", PASSWORD)
    assert (await shop.ada.send(PAY, **PAYEE)).status == 303
    assert "Your payment details were changed" in await shop.mails("new@post.example")
    assert "Your payment details were changed" not in await shop.mails("desk@post.example")


async def test_operators_pages_and_tokens_tell_the_old_address_too(shop: Shop) -> None:
    """By a page, which asks the operator for a proof, and by PATCH of the operators' API."""
    here = f"/operator/affiliates/{shop.affiliate}"
    await create_user(shop.hub.parts.store, shop.clock, NewUser("olu@hub.example", "operator"))
    async with browser(shop.hub) as olu:
        await enter(olu, shop.hub, shop.clock, "olu@hub.example")
        shop.clock.now += FRESH_MS
        form = {"name": "Ada", "email": "one@evil.example", "coupons": ""}
        assert ((await olu.send(here, **form)).location or "").startswith("/login/confirm")
        await enter(olu, shop.hub, shop.clock, "olu@hub.example")
        assert (await olu.send(here, **form)).status == 303
    assert "go to one@evil.example" in await shop.mails("desk@post.example")
    async with program(shop.hub, await token(shop.hub, shop.clock, "admin:write", "people:write")) as ask:
        assert (await ask("PATCH", f"{ADMIN}/affiliates/{shop.affiliate}", {"email": "two@evil.example"})).status == 200
    for address in ("desk@post.example", "one@evil.example", "ada@post.example"):
        assert "go to two@evil.example" in await shop.mails(address), address


def canaries_in(files: Iterable[Path], *texts: str) -> list[tuple[str, str]]:
    """Where a canary stands in clear: the file's name, or "text", and the canary."""
    found = [(file.name, each) for file in files for each in CANARIES if each.encode() in file.read_bytes()]
    return found + [("text", each) for text in texts for each in CANARIES if each in text]


async def every_way(shop: Shop) -> None:
    """Name and change a payee on every surface, refused and taken, and pay it: file, invoice, statement."""
    store, clock, parts = shop.hub.parts.store, shop.clock, shop.hub.parts
    wrong = await shop.ada.send(PAY, **{**PAYEE, "account": "DE89370400440532013001"})
    assert wrong.status == 422
    assert (await shop.ada.send(PAY, **PAYEE)).status == 303
    assert (await shop.ada.get(PAY)).status == 200
    body = {"legalName": "Canarina Vogelsang", "street": "Kanarienweg 77", "postalCode": "99817",
            "city": "Zwitscherhausen", "country": "DE", "method": "paypal",
            "account": "birdcage@zwitscher.example"}  # fmt: skip
    async with program(shop.hub, await token(shop.hub, clock, "admin:write", "people:write")) as ask:
        for number, account in enumerate(("no address", body["account"])):
            once = {"Idempotency-Key": f"once-{number}"}
            await ask("PUT", f"{ADMIN}/affiliates/{shop.affiliate}/payee", {**body, "account": account}, once)
    assert (await shop.ada.send(PAY, **PAYEE)).status == 303
    clock.now += 4 * DAY
    settings = PayoutSettings(debtor_name="Hub", debtor_iban="FR1420041010050500013M02606")
    run = await create_run(store, clock, settings, Wanted("live"))
    await release_run(store, clock, settings, str(run["id"]))
    await export_run(store, parts.sealer, clock, settings, str(run["id"]), "sepa")
    await shop.ada.sign_in("ada@post.example", PASSWORD)
    for kind in ("", ".pdf", ".csv"):
        assert (await shop.ada.get(f"/affiliate/payouts/{run['id']}{kind}")).status in (200, 404)


async def test_no_payees_words_are_kept_in_clear(sqlite_url: str, shop: Shop, tmp_path: Path) -> None:
    """Not in the database, its WAL, a backup, the log or a mail; the trail has names of members and last digits."""
    with server_log() as log:
        await every_way(shop)
    database = Path(sqlite_url.removeprefix("sqlite:///"))
    await asyncio.to_thread(back_up, database, tmp_path / "kept.db")
    files = [file for file in (*database.parent.iterdir(), tmp_path / "kept.db") if file.is_file()]
    assert {"hub.db", "hub.db-wal", "kept.db"} <= {file.name for file in files}
    assert canaries_in(files, log.getvalue()) == []
    lines = (await list_acts(shop.hub.parts.store, WantedPart({"act": "payee.changed"}))).entries
    assert [line["before"] for line in lines] == [None] * 3
    assert lines[0]["after"] == {
        "changed": ["account", "is_business", "method", "self_billing", "tax_id"], "method": "iban", "account": "…3000",
    }  # fmt: skip
    async with shop.hub.parts.store.write() as tx:  # the control: one line of the trail that tells too much
        await note_act(tx, shop.clock(), "payee.changed", shop.affiliate, after={"city": "Zwitscherhausen"})
    assert {canary for _, canary in canaries_in(files)} == {"Zwitscherhausen"}
