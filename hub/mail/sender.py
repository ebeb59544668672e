"""The sender: takes due mails from the outbox and hands them to the SMTP server, for as long as the process runs.

A mail is claimed before it is sent: one statement counts the attempt and makes the mail due again after `LEASE_MS`,
only if it is still due as it was read. So two processes do not send the same mail at once, and one that is killed
between the server's answer and the note of it sends the mail again: at least once, under the same Message-ID. One task
does all this, on the event loop on which it is started and stopped.
"""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import aiosmtplib
import structlog

from hub.clock import Clock
from hub.config.people_sections import MailSettings
from hub.config.settings import Settings
from hub.domain.messages.mail_retries import next_attempt
from hub.mail.letters import USUAL_NETWORK, compose, sender_of
from hub.mail.notices import gather_notices
from hub.mail.outbox import Outbox
from hub.sealing import Sealer, SealingFault
from hub.storage import Row, Store, StoreUnavailable
from hub.tasks import end_task

POLL_SECONDS: Final = 2.0
"""How soon a mail is seen that another process stored."""
OUTAGE_SECONDS: Final = 5.0
AT_ONCE: Final = 20
"""Mails of one connection to the server."""
STEP_SECONDS: Final = 15.0
"""How long the server may take over one command."""
LEASE_MS: Final = 10 * 60_000
"""Longer than a whole batch may take, so that no other process sends what this one is sending."""
LONGEST_FAULT: Final = 300
PERMANENT: Final = range(500, 600)
"""The answers of a server that will not take a mail later either (RFC 5321, section 4.2.1)."""

log = structlog.get_logger(__name__)


class MailSender:
    """Sends the mails of the outbox; `root` returns the public root of the hub's URLs."""

    def __init__(
        self,
        store: Store,
        sealer: Sealer,
        clock: Clock,
        settings: MailSettings,
        root: Callable[[], Awaitable[str]],
        *,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Make a sender; `tls` is the context that judges the server's certificate, by default the machine's own."""
        self._store = store
        self._sealer = sealer
        self._clock = clock
        self._settings = settings
        self._root = root
        self._tls = tls
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._outbox = Outbox(sealer, is_on=True)

    async def start(self) -> None:
        """Begin to send."""
        self._task = asyncio.create_task(self._serve(), name="mail")

    async def stop(self) -> None:
        """Send no more; a mail under way is sent again by the next process."""
        self._stopping = True
        await end_task(self._task)

    async def run_once(self) -> int:
        """Try every due mail once, at most `AT_ONCE`; return how many were claimed. Raise `StoreUnavailable`.

        Notices that are due become mails first.
        """
        now = self._clock()
        await gather_notices(self._store, self._outbox, await self._root(), now)
        async with self._store.read() as tx:
            due = await tx.all("due_mails", now=now, limit=AT_ONCE)
        claimed = [row for row in due if await self._claim(row, now)]
        if claimed:
            await self._send_all(claimed)
        return len(claimed)

    async def _serve(self) -> None:
        while not self._stopping:
            try:
                if await self.run_once():
                    continue
                pause = POLL_SECONDS
            except StoreUnavailable:
                pause = OUTAGE_SECONDS
            except Exception:
                log.exception("the outbox could not be worked on")
                pause = OUTAGE_SECONDS
            if not self._stopping:
                await asyncio.sleep(pause)

    async def _claim(self, row: Row, now: int) -> bool:
        if row["expires_at"] is not None and row["expires_at"] <= now:
            await self._give_up(row["mail_id"], "Its link expired before it could be sent.")
            return False
        async with self._store.write() as tx:
            seen = row["due_at"]
            return bool(await tx.run("claim_mail", mail_id=row["mail_id"], seen=seen, due_at=now + LEASE_MS))

    async def _send_all(self, mails: Sequence[Row]) -> None:
        """Send claimed mails over one connection; a server that cannot be reached fails them all."""
        sender = sender_of(self._settings.from_, await self._root())
        client = mail_client(self._settings, STEP_SECONDS, self._tls)
        try:
            await client.connect()
        except (aiosmtplib.SMTPException, OSError, ssl.SSLError) as fault:
            log.warning("the mail server cannot be used", server=self._settings.host, fault=_plain(fault))
            for mail in mails:
                await self._failed(mail, fault)
            return
        try:
            for mail in mails:
                if self._stopping:
                    return
                await self._try(client, mail, sender)
            with suppress(aiosmtplib.SMTPException, OSError):
                await client.quit()
        finally:
            client.close()

    async def _try(self, client: aiosmtplib.SMTP, mail: Row, sender: str) -> None:
        """Send a mail; a fault that nobody foresaw postpones this mail alone, and does not hold up those behind it."""
        try:
            await self._send(client, mail, sender)
        except StoreUnavailable:
            raise
        except Exception as fault:
            log.exception("a mail could not be composed or sent", mail=mail["mail_id"])
            await self._failed(mail, fault)

    async def _send(self, client: aiosmtplib.SMTP, mail: Row, sender: str) -> None:
        try:
            link, kept = self._link(mail), await self._store.fetch_one("branding")
            brand = {} if kept is None else json.loads(kept["content"])
            network, logo = str(brand.get("name", USUAL_NETWORK)), brand.get("logo")
            message = compose(
                mail["template"], json.loads(mail["parameters"]), link=link, expires_at=mail["expires_at"],
                mail_id=mail["mail_id"], recipient=mail["recipient"], sender=sender, now=self._clock(),
                network=network, logo=None if logo is None else (logo["type"], base64.b64decode(logo["content"])),
            )  # fmt: skip
        except (ValueError, SealingFault) as fault:
            await self._give_up(mail["mail_id"], _plain(fault))
            return
        try:
            await client.send_message(message)
        except (aiosmtplib.SMTPException, OSError) as fault:
            await self._failed(mail, fault)
            return
        async with self._store.write() as tx:
            await tx.run("finish_mail", mail_id=mail["mail_id"], status="SENT", fault=None, now=self._clock())
        log.info("a mail was sent", mail=mail["mail_id"], template=mail["template"])

    def _link(self, mail: Row) -> str | None:
        sealed = mail["sealed_link"]
        return None if sealed is None else self._sealer.open(sealed, mail["mail_id"]).decode()

    async def _failed(self, mail: Row, fault: Exception) -> None:
        """Note a failure: the mail is due again after a pause, or given up."""
        now, reason = self._clock(), _plain(fault)
        attempts = mail["attempts"] + 1
        due_at = next_attempt(attempts, mail["created_at"], now, self._settings.given_up_after)
        if due_at is None or _is_permanent(fault):
            await self._give_up(mail["mail_id"], reason)
            return
        async with self._store.write() as tx:
            await tx.run("postpone_mail", mail_id=mail["mail_id"], due_at=due_at, fault=reason)
        log.warning("a mail was not sent", mail=mail["mail_id"], attempts=attempts, fault=type(fault).__name__)

    async def _give_up(self, mail_id: str, reason: str) -> None:
        async with self._store.write() as tx:
            await tx.run("finish_mail", mail_id=mail_id, status="GIVEN_UP", fault=reason, now=self._clock())
        log.error("a mail was given up; `hub mail list` says why", mail=mail_id)


def mail_client(settings: MailSettings, seconds: float, tls: ssl.SSLContext | None = None) -> aiosmtplib.SMTP:
    """Return a client of the mail server that waits so long for each step; `tls` judges the server's certificate."""
    return aiosmtplib.SMTP(
        hostname=settings.host,
        port=settings.port,
        username=settings.user or None,
        password=settings.password or None,
        use_tls=settings.tls == "implicit",
        start_tls=settings.tls == "starttls",
        timeout=seconds,
        tls_context=tls,
    )


def mail_sender(
    settings: Settings, store: Store, sealer: Sealer, clock: Clock, root: Callable[[], Awaitable[str]]
) -> MailSender | None:
    """Return the sender of a process that does a worker's work, None if it does not or if no mail is sent."""
    if not (settings.mail.is_on and settings.worker.enabled):
        return None
    return MailSender(store, sealer, clock, settings.mail, root)


def _is_permanent(fault: Exception) -> bool:
    """Return whether the server refused this mail for good; a refused login is a fault of the settings instead."""
    if isinstance(fault, aiosmtplib.SMTPRecipientsRefused):
        return all(each.code in PERMANENT for each in fault.recipients)
    return isinstance(fault, aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError) and fault.code in PERMANENT


def _plain(fault: Exception) -> str:
    """Return a fault in one line, as the list of mails shows it; a server's answer may hold anything."""
    text = " ".join(f"{type(fault).__name__}: {fault}".split())
    return "".join(filter(str.isprintable, text))[:LONGEST_FAULT]
