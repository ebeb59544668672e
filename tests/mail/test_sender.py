"""Mails over a real SMTP server: once for each act, again after a failure, given up after days, links sealed."""

from __future__ import annotations

import asyncio
import re
import ssl
from pathlib import Path
from typing import Any

import attrs
import pytest
from structlog.testing import capture_logs

from hub.config.people_sections import MailSettings
from hub.mail.outbox import Mail, Outbox
from hub.mail.sender import LEASE_MS, STEP_SECONDS, MailSender
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.system.mails import list_mails, retry_mail
from hub.sealing import Sealer
from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.mail.smtp_server import Inbox, certificate, smtp_server
from tests.sqlite_first import database_url

__all__ = ["database_url"]

SEALER = Sealer.of([b"k" * 32])
LINK = "https://hub.example/login/link/s3cr3t-t0k3n"
MAIL = Mail("ann@shop.example", "login-link", {"email": "ann@shop.example"}, LINK)
HOUR = 3_600_000


async def root() -> str:
    return "https://hub.example"


def sender_for(
    store: Store, clock: FakeClock, inbox: Inbox, tls: ssl.SSLContext | None = None, **more: Any
) -> MailSender:
    usual = {"host": "localhost", "port": inbox.port, "tls": "none" if tls is None else "starttls"}
    settings = attrs.evolve(MailSettings(), **{**usual, **more})
    return MailSender(store, SEALER, clock, settings, root, tls=tls)


async def add(store: Store, clock: FakeClock, mail: Mail = MAIL) -> str:
    async with store.write() as tx:
        mail_id = await Outbox(SEALER, is_on=True).add(tx, clock(), mail)
    assert mail_id is not None
    return mail_id


async def stored_link(store: Store, mail_id: str) -> str | None:
    async with store.read() as tx:
        rows = await tx.all("sealed_mail_page", after="", limit=10)
    return next((row["sealed_link"] for row in rows if row["mail_id"] == mail_id), None)


class TestSending:
    async def test_a_mail_arrives_once_with_text_and_html(self, store: Store, clock: FakeClock) -> None:
        async with smtp_server() as inbox:
            sender = sender_for(store, clock, inbox)
            await add(store, clock)
            assert await sender.run_once() == 1
            assert await sender.run_once() == 0
        (mail,) = inbox.mails
        assert (mail["To"], mail["From"]) == ("ann@shop.example", "Affiliate hub <hub@hub.example>")
        assert mail["Subject"] == "Your sign-in link"
        text, html = mail.get_body(("plain",)), mail.get_body(("html",))
        assert text is not None
        assert html is not None
        assert LINK in text.get_content()
        assert f'href="{LINK}"' in html.get_content()
        assert [(m.status, m.attempts) for m in (await list_mails(store, Wanted())).entries] == [("SENT", 1)]

    async def test_an_act_that_fails_sends_nothing(self, store: Store, clock: FakeClock) -> None:
        with pytest.raises(ZeroDivisionError):
            async with store.write() as tx:
                await Outbox(SEALER, is_on=True).add(tx, clock(), MAIL)
                raise ZeroDivisionError
        assert (await list_mails(store, Wanted())).entries == []

    async def test_a_hub_without_a_server_stores_nothing(self, store: Store, clock: FakeClock) -> None:
        async with store.write() as tx:
            assert await Outbox(SEALER, is_on=False).add(tx, clock(), MAIL) is None
        assert (await list_mails(store, Wanted())).entries == []

    async def test_names_from_outside_cannot_forge_headers_or_html(self, store: Store, clock: FakeClock) -> None:
        values = {"title": "Hello\r\nBcc: eve@evil.example", "sentence": "<script>\u202ex</script>"}
        async with smtp_server() as inbox:
            await add(store, clock, Mail("ann@shop.example", "question", values))
            await sender_for(store, clock, inbox).run_once()
        (mail,) = inbox.mails
        assert mail["Bcc"] is None
        assert inbox.recipients == [["ann@shop.example"]]
        html = mail.get_body(("html",))
        assert html is not None
        assert "&lt;script&gt;x&lt;/script&gt;" in html.get_content()


class TestTls:
    async def test_a_server_with_a_certificate_gets_it_encrypted_and_the_login(
        self, store: Store, clock: FakeClock, tmp_path: Path
    ) -> None:
        server, client = certificate(tmp_path)
        async with smtp_server(server, login=True) as inbox:
            await add(store, clock)
            await sender_for(store, clock, inbox, client, user="hub", password="open sesame").run_once()
        assert inbox.over_tls == [True]
        assert inbox.logins == [("hub", "open sesame")]

    async def test_without_tls_nothing_is_sent_unless_it_is_allowed(
        self, store: Store, clock: FakeClock, tmp_path: Path
    ) -> None:
        """The control is every other test, which says tls="none"."""
        _, client = certificate(tmp_path)
        async with smtp_server() as inbox:
            await add(store, clock)
            await sender_for(store, clock, inbox, client).run_once()
        assert inbox.mails == []
        (waiting,) = (await list_mails(store, Wanted())).entries
        assert waiting.status == "WAITING"

    async def test_an_unknown_certificate_is_not_believed(self, store: Store, clock: FakeClock, tmp_path: Path) -> None:
        server, _ = certificate(tmp_path)
        async with smtp_server(server) as inbox:
            await add(store, clock)
            await sender_for(store, clock, inbox, ssl.create_default_context()).run_once()
        assert inbox.mails == []


class TestFailures:
    @pytest.mark.prove
    async def test_it_is_tried_again_with_growing_pauses_and_given_up_after_days(
        self, store: Store, clock: FakeClock
    ) -> None:
        async with smtp_server() as inbox:
            sender = sender_for(store, clock, inbox)
            mail_id = await add(store, clock)
            pauses, began = [], clock()
            while (await list_mails(store, Wanted())).entries[0].status == "WAITING":
                inbox.answers = ["451 later"]
                assert await sender.run_once() == 1
                async with store.read() as tx:
                    row = await tx.one("mail_by_id", mail_id=mail_id)
                assert row is not None
                if row["due_at"] is not None:
                    pauses.append(row["due_at"] - clock())
                    clock.now = row["due_at"]
            assert pauses[:4] == [15_000, 30_000, 60_000, 120_000]
            assert max(pauses) == HOUR
            assert clock() - began == 72 * HOUR
            (given_up,) = (await list_mails(store, Wanted({"status": "GIVEN_UP"}))).entries
            assert "451" in (given_up.fault or "")
            await retry_mail(store, clock, mail_id)
            inbox.answers = []
            await sender.run_once()
        assert [mail["Message-ID"] for mail in inbox.mails] == [f"<{mail_id}@hub.example>"]

    async def test_a_recipient_that_does_not_exist_is_given_up_at_once(self, store: Store, clock: FakeClock) -> None:
        async with smtp_server() as inbox:
            inbox.answers = ["550 no such user"]
            await add(store, clock)
            await sender_for(store, clock, inbox).run_once()
        (mail,) = (await list_mails(store, Wanted())).entries
        assert (mail.status, mail.attempts) == ("GIVEN_UP", 1)

    async def test_one_mail_that_fails_does_not_stop_the_others(self, store: Store, clock: FakeClock) -> None:
        async with smtp_server() as inbox:
            inbox.answers = ["451 later"]
            for _ in range(3):
                await add(store, clock)
            await sender_for(store, clock, inbox).run_once()
        assert len(inbox.mails) == 2

    async def test_a_mail_that_cannot_be_composed_does_not_stop_the_others(
        self, store: Store, clock: FakeClock
    ) -> None:
        """Neither an address that no header can hold, nor a fault of the hub itself, such as a missing value."""
        async with smtp_server() as inbox:
            for mail in (
                attrs.evolve(MAIL, recipient="ann@shop..example"),
                Mail("ann@shop.example", "login-link", {}),
                MAIL,
            ):
                await add(store, clock, mail)
                clock.now += 1
            await sender_for(store, clock, inbox).run_once()
        assert inbox.recipients == [["ann@shop.example"]]
        assert [mail.status for mail in (await list_mails(store, Wanted())).entries] == [
            "SENT",
            "WAITING",
            "GIVEN_UP",
        ]

    async def test_a_process_that_dies_over_a_mail_leaves_it_to_the_next(self, store: Store, clock: FakeClock) -> None:
        """It was claimed and never finished: after its lease it goes out, under the same Message-ID."""
        async with smtp_server() as inbox:
            mail_id = await add(store, clock)
            async with store.write() as tx:
                assert await tx.run("claim_mail", mail_id=mail_id, seen=clock(), due_at=clock() + LEASE_MS)
                assert not await tx.run("claim_mail", mail_id=mail_id, seen=clock(), due_at=clock() + LEASE_MS)
            sender = sender_for(store, clock, inbox)
            assert await sender.run_once() == 0
            clock.advance(LEASE_MS)
            assert await sender.run_once() == 1
        assert len(inbox.mails) == 1

    async def test_no_server_at_all_is_said_and_the_mail_waits(self, store: Store, clock: FakeClock) -> None:
        async with smtp_server() as inbox:
            pass
        await add(store, clock)
        await sender_for(store, clock, inbox).run_once()
        (mail,) = (await list_mails(store, Wanted())).entries
        assert mail.status == "WAITING"
        assert "SMTPConnectError" in (mail.fault or "")


class TestLinks:
    async def test_a_link_is_sealed_at_rest_dropped_when_sent_and_never_logged(
        self, store: Store, clock: FakeClock
    ) -> None:
        async with smtp_server() as inbox:
            mail_id = await add(store, clock)
            sealed = await stored_link(store, mail_id)
            assert sealed is not None
            assert "s3cr3t" not in sealed
            with capture_logs() as logs:
                inbox.answers = ["451 later"]
                sender = sender_for(store, clock, inbox)
                await sender.run_once()
                clock.advance(HOUR)
                await sender.run_once()
        assert len(inbox.mails) == 1
        assert await stored_link(store, mail_id) is None
        assert re.search("s3cr3t|ann@shop", repr(logs)) is None
        assert len(logs) == 2
        with pytest.raises(OperatorFault, match="was sent at"):
            await retry_mail(store, clock, mail_id)

    async def test_a_link_that_expired_is_not_sent(self, store: Store, clock: FakeClock) -> None:
        mail_id = await add(store, clock, attrs.evolve(MAIL, expires_at=clock() + HOUR))
        clock.advance(HOUR)
        async with smtp_server() as inbox:
            await sender_for(store, clock, inbox).run_once()
        assert inbox.mails == []
        assert await stored_link(store, mail_id) is None
        with pytest.raises(OperatorFault, match="has expired"):
            await retry_mail(store, clock, mail_id)


async def test_a_server_that_says_nothing_does_not_hold_up_the_end(store: Store, clock: FakeClock) -> None:
    """Neither the mail under way nor the rest of the batch is waited for; they are due again after the lease."""
    async with smtp_server() as inbox:
        inbox.silence = asyncio.Event()
        for _ in range(2):
            await add(store, clock)
        sender = sender_for(store, clock, inbox)
        await sender.start()
        await asyncio.wait_for(inbox.reached.wait(), 60)
        await asyncio.wait_for(sender.stop(), STEP_SECONDS / 2)
        inbox.silence.set()
    assert [mail.status for mail in (await list_mails(store, Wanted())).entries] == ["WAITING", "WAITING"]
    assert len(inbox.recipients) == 1
