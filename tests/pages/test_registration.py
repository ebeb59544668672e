"""Invitations, registrations and new passwords by mail; and what becomes of them on a hub that sends none."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hub.app import Hub
from hub.mail.sender import MailSender
from hub.operations.affiliates.affiliates import list_affiliates
from hub.operations.lists import Wanted
from hub.operations.merchants.merchants import list_merchants
from hub.operations.system.mails import list_mails
from hub.operations.users.users import set_user_status
from hub.testing.clock import FakeClock
from tests.mail.smtp_server import Inbox, smtp_server
from tests.pages.visitor import PASSWORD, browser, enter, user_of, with_password
from tests.people.users import everybody
from tests.served_hub import served

SECURITY = "/account/security"
DAY = 86_400_000


@asynccontextmanager
async def mailing(url: str, clock: FakeClock, **environ: str) -> AsyncIterator[tuple[Hub, Inbox]]:
    """A hub that mails to a real server in this test."""
    async with smtp_server() as inbox:
        mail = {"HUB_MAIL_HOST": "localhost", "HUB_MAIL_PORT": str(inbox.port), "HUB_MAIL_TLS": "none"}
        async with served(url, clock, **mail, **environ) as hub:
            yield hub, inbox


async def link_in(hub: Hub, inbox: Inbox, to: str) -> str:
    """Have the outbox sent and return the path of the link in the last mail to an address."""
    await sent(hub)
    mail = [each for each in inbox.mails if each["To"] == to][-1]
    body = mail.get_body(("plain",))
    assert body is not None
    found = re.search(r"http://[^/\s]+(/\S+)", body.get_content())
    assert found, body.get_content()
    return found[1]


async def sent(hub: Hub) -> None:
    """Have every waiting mail sent, by this task or by the hub's own."""
    sender = hub.parts.mail
    assert isinstance(sender, MailSender)
    while any(mail.status == "WAITING" for mail in (await list_mails(hub.parts.store, Wanted())).entries):
        await sender.run_once()
        await asyncio.sleep(0.01)


class TestRecovery:
    async def test_a_forgotten_password_is_replaced_by_mail(self, database_url: str, clock: FakeClock) -> None:
        """The link works once and for an hour, the old password until then, and other sessions end."""
        async with mailing(database_url, clock) as (hub, inbox), browser(hub) as ann, browser(hub) as phone:
            await user_of(hub, clock)
            await with_password(ann, hub, clock)
            asked = await phone.send("/login/recover", email=" ANN@hub.example")
            assert "an email with a link is on its way" in asked.words
            path = await link_in(hub, inbox, "ann@hub.example")
            assert (await phone.send(path)).location == SECURITY
            assert (await phone.send(SECURITY, "/account/password", password="four loud geese")).status == 303
            assert (await ann.get("/account")).status == 303
            assert (await phone.get(path)).status == 404
            await sent(hub)
            assert inbox.mails[-1]["Subject"] == "Your password was set"
            assert (await ann.sign_in("ann@hub.example", PASSWORD)).status == 422

    async def test_an_unknown_or_disabled_address_gets_the_same_answer_and_no_mail(
        self, sqlite_url: str, clock: FakeClock
    ) -> None:
        async with mailing(sqlite_url, clock) as (hub, inbox), browser(hub) as eve:
            user = await user_of(hub, clock, role="operator")
            await set_user_status(hub.parts.store, clock, user["id"], "DISABLED")
            seen = {(await eve.send("/login/recover", email=mail)).words for mail in ("x@y.example", "ann@hub.example")}
            assert len(seen) == 1
            await sent(hub)
        assert inbox.mails == []

    async def test_nobody_fills_anothers_mailbox(self, sqlite_url: str, clock: FakeClock) -> None:
        async with mailing(sqlite_url, clock) as (hub, inbox), browser(hub) as eve:
            await user_of(hub, clock)
            seen = [(await eve.send("/login/recover", email="ann@hub.example")).status for _ in range(12)]
            await sent(hub)
        assert seen[-1] == 429
        assert len(inbox.mails) == seen.count(200) <= 6


class TestInvitations:
    async def test_an_operator_invites_and_the_guest_comes_in(self, database_url: str, clock: FakeClock) -> None:
        async with mailing(database_url, clock) as (hub, inbox), browser(hub) as ann, browser(hub) as bob:
            await user_of(hub, clock)
            await enter(ann, hub, clock)
            done = await ann.send("/operator/users", email="bob@hub.example", role="operator")
            assert done.location == "/operator/users?done=invited"
            path = await link_in(hub, inbox, "bob@hub.example")
            clock.now += 6 * DAY
            assert "You are invited" in (await bob.get(path)).words
            assert (await bob.send(path)).location == SECURITY
            assert (await bob.get("/operator/users")).status == 200

    async def test_one_who_exists_gets_the_role_and_a_notice(self, sqlite_url: str, clock: FakeClock) -> None:
        async with mailing(sqlite_url, clock) as (hub, inbox), browser(hub) as ann:
            await user_of(hub, clock)
            await user_of(hub, clock, "bob@hub.example", "operator")
            await enter(ann, hub, clock)
            await ann.send("/operator/users", email="bob@hub.example", role="operator-admin")
            await sent(hub)
            again = await ann.send("/operator/users", email="bob@hub.example", role="operator-admin")
            assert (again.status, "has this role already" in again.words) == (422, True)
            users = await everybody(hub.parts.store)
        assert [role["role"] for role in users[1]["roles"]] == ["operator", "operator-admin"]
        told = sorted((mail["To"], mail["Subject"]) for mail in inbox.mails)
        assert told == [
            ("ann@hub.example", "There is a new administrator"),
            ("bob@hub.example", "You have a new role"),
        ]

    async def test_a_guest_registers_what_they_bring(self, sqlite_url: str, clock: FakeClock) -> None:
        """A merchant has no domain until it has proved one, and is not approved."""
        environ = {"HUB_PEOPLE_REGISTRATION": "invited"}
        async with mailing(sqlite_url, clock, **environ) as (hub, inbox), browser(hub) as ann, browser(hub) as guest:
            await user_of(hub, clock)
            await enter(ann, hub, clock)
            await ann.send("/operator/users", email="shop@new.example", role="merchant")
            path = await link_in(hub, inbox, "shop@new.example")
            assert "Ann invites shop@new.example" in (await guest.get(path)).words
            unnamed = await guest.send(path, name="", currency="EUR")
            assert (unnamed.status, 'id="name-fault"' in unnamed.text) == (422, True)
            assert (await guest.send(path, name="New Shop", currency="EUR")).location == "/merchant/onboarding"
            assert (await guest.get(path)).status == 404
            (merchant,) = await list_merchants(hub.parts.store)
        assert (merchant.name, merchant.currency, merchant.domains, merchant.status) == (
            "New Shop", "EUR", (), "PENDING",
        )  # fmt: skip


class TestRegistration:
    @pytest.mark.parametrize("kind", ["merchant", "affiliate"])
    async def test_in_an_open_hub_a_proved_address_becomes_an_account(
        self, database_url: str, clock: FakeClock, kind: str
    ) -> None:
        environ = {"HUB_PEOPLE_REGISTRATION": "open"}
        async with mailing(database_url, clock, **environ) as (hub, inbox), browser(hub) as eve:
            wrong = await eve.send("/register", kind=kind, name="Eve & Co", email="eve at new", currency="EUR")
            assert (wrong.status, 'id="email-fault"' in wrong.text) == (422, True)
            asked = await eve.send("/register", kind=kind, name="Eve & Co", email="eve@new.example", currency="EUR")
            assert "Check your inbox" in asked.words
            assert await everybody(hub.parts.store) == []
            path = await link_in(hub, inbox, "eve@new.example")
            first = {"merchant": "/merchant/onboarding", "affiliate": "/affiliate/campaigns"}
            assert (await eve.send(path)).location == first[kind]
            (user,) = await everybody(hub.parts.store)
            made = [each.name for each in await list_merchants(hub.parts.store)]
            made += [each.name for each in await list_affiliates(hub.parts.store)]
        assert [role["role"] for role in user["roles"]] == [kind]
        assert made == ["Eve & Co"]

    async def test_an_address_that_has_an_account_is_answered_alike(self, sqlite_url: str, clock: FakeClock) -> None:
        """Only its owner learns of it, by a mail with a way in."""
        environ = {"HUB_PEOPLE_REGISTRATION": "open"}
        async with mailing(sqlite_url, clock, **environ) as (hub, inbox), browser(hub) as eve:
            await user_of(hub, clock)
            form = {"kind": "affiliate", "name": "Eve", "currency": "USD"}
            answers = {(await eve.send("/register", email=mail, **form)).words for mail in
                       ("ann@hub.example", "eve@new.example")}  # fmt: skip
            await sent(hub)
        assert len(answers) == 1
        assert {mail["To"]: mail["Subject"] for mail in inbox.mails} == {
            "ann@hub.example": "You already have an account", "eve@new.example": "Confirm your e-mail address",
        }  # fmt: skip

    async def test_a_strangers_words_reach_nobody_and_three_mails_a_day_do(
        self, sqlite_url: str, clock: FakeClock
    ) -> None:
        """Who never asked gets no text of whoever did, nor a mailbox full; the answer stays the same."""
        environ = {"HUB_PEOPLE_REGISTRATION": "open"}
        words = "Your account was locked, go to evil.example/login"
        form = {"kind": "affiliate", "name": words, "currency": "USD", "email": "bob@new.example"}
        async with mailing(sqlite_url, clock, **environ) as (hub, inbox), browser(hub) as eve:
            answers = set()
            for _ in range(5):
                answers.add((await eve.send("/register", **form)).words)
            await sent(hub)
            assert len(inbox.mails) == 3
            clock.now += DAY + 1
            answers.add((await eve.send("/register", **form)).words)
            await sent(hub)
        assert len(inbox.mails) == 4
        assert len(answers) == 1
        assert not any("evil" in mail.as_string() for mail in inbox.mails)

    @pytest.mark.parametrize("environ", [{}, {"HUB_PEOPLE_REGISTRATION": "invited"}], ids=["off", "invited"])
    async def test_elsewhere_nobody_registers(self, sqlite_url: str, clock: FakeClock, environ: dict[str, str]) -> None:
        async with mailing(sqlite_url, clock, **environ) as (hub, inbox), browser(hub) as eve:
            assert "Registration is by invitation only" in (await eve.get("/register")).words
            form = {"csrf": (await eve.get("/login")).csrf, "kind": "merchant", "name": "E", "email": "e@new.example"}
            assert (await eve.post("/register", form)).status == 422
            await sent(hub)
        assert inbox.mails == []

    async def test_a_hub_that_cannot_confirm_an_address_is_not_open(self, sqlite_url: str, clock: FakeClock) -> None:
        async with served(sqlite_url, clock, HUB_PEOPLE_REGISTRATION="open") as hub, browser(hub) as eve:
            assert "Registration is by invitation only" in (await eve.get("/register")).words
