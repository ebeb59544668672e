"""The watch: notes what needs an operator, and tells of it by mail and webhook as it begins and ends.

One process of a hub watches, as a timed job. A channel's mark on a trouble is written after the channel took it, so a
process that is killed in between tells it again: at least once. Mails are the exception, because the outbox takes them
in the same transaction as the mark.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import aiohttp
import orjson
import structlog
from attrs import Factory, define, frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.instants import format_instant
from hub.domain.messages.webhook_signing import secret_key, webhook_headers
from hub.domain.troubles import KINDS, TOLD_BEGIN, Noted, Trouble, anchor, is_settled, mail_is_due, ordered, owed
from hub.ids import new_id
from hub.mail.outbox import Mail, Outbox
from hub.notifications.receiver import new_session
from hub.operations.audits.outside import CERTIFICATE_MS, certificate_end
from hub.operations.audits.troubles import find_troubles, noted_troubles, trouble_document
from hub.storage import Store

WATCH_SECONDS: Final = 15.0
"""How often the watch looks: with the sending of a mail, a trouble is told within a minute."""
LOOK_SECONDS: Final = 3.0
"""How long a look at the certificate may take."""
IN_A_MAIL: Final = 12
"""A mail names so many troubles; it says how many more there are."""
POST_VERSION: Final = "1"
"""The version of the body that is posted, which is no message to a subscriber."""

log = structlog.get_logger(__name__)


@define(eq=False)
class PublicCertificate:
    """The certificate that the public address shows, and when it ends (ms UTC) as far as that could be read."""

    root: str
    ends_at: int | None = None

    async def trouble(self, now: int) -> list[Trouble]:
        """Look, and return that it ends soon, if it does; an address that this machine cannot reach says nothing."""
        if not self.root.startswith("https://"):
            return []
        with suppress(OSError, TimeoutError, ValueError):
            self.ends_at = await certificate_end(self.root, LOOK_SECONDS)
        if self.ends_at is None or self.ends_at - now >= CERTIFICATE_MS:
            return []
        day, verb = format_instant(self.ends_at)[:10], "ends" if self.ends_at > now else "ended"
        sentence = f"The certificate of {self.root} {verb} on {day}."
        return [Trouble("certificate_ending", sentence, since=self.ends_at - CERTIFICATE_MS)]


@frozen(eq=False)
class TroubleWatch:
    """Watches over one database; `root` returns the public root of the hub's URLs."""

    store: Store
    clock: Clock
    settings: Settings
    outbox: Outbox
    root: Callable[[], Awaitable[str]]
    certificate: PublicCertificate = Factory(
        lambda self: PublicCertificate(self.settings.server.public_url), takes_self=True
    )

    async def run(self) -> None:
        """Look once: note what began and ended, then tell what is due."""
        await self.note()
        await self._mail()
        await self._post()
        await self._forget()

    async def note(self) -> None:
        """Note what began and what is over."""
        now = self.clock()
        troubles = [*await find_troubles(self.store, now, self.settings), *await self.certificate.trouble(now)]
        # That nobody serves is for those to find who do not: this process does.
        found = {(each.kind, each.object): each for each in troubles if each.kind != "nobody_serves"}
        noted = {(each.trouble.kind, each.trouble.object): each for each in await noted_troubles(self.store)}
        changed = [each for key, each in found.items() if _differs(each, noted.get(key))]
        over = [each.trouble for key, each in noted.items() if key not in found and each.over_at is None]
        if not changed and not over:
            return
        async with self.store.write() as tx:
            for each in changed:
                since = each.since or now
                await tx.run("note_trouble", kind=each.kind, object=each.object, sentence=each.sentence, since=since)
            for each in over:
                await tx.run("end_trouble", kind=each.kind, object=each.object, now=now)

    async def _mail(self) -> None:
        """Write one mail to each operator about all that is due, in one transaction with the marks."""
        if not self._mails:
            return
        now, noted = self.clock(), await noted_troubles(self.store)
        waiting = [each for each in noted if owed(each, each.mailed) is not None]
        async with self.store.read() as tx:
            last = await tx.one("last_trouble_mail")
        told = self.settings.troubles
        last_at = None if last is None else last["sent_at"]
        if not mail_is_due(waiting, now, last_at=last_at, quiet=told.quiet_hours, digest_ms=told.digest):
            return
        values, link = mail_values(waiting, noted), f"{await self.root()}/operator"
        async with self.store.write() as tx:
            for person in await tx.all("addresses_of_operators"):
                await self.outbox.add(tx, now, Mail(person["email"], "troubles", values, link, None, person["user_id"]))
            for each in waiting:
                await tx.run("mark_trouble", kind=each.trouble.kind, object=each.trouble.object,
                             mailed=owed(each, each.mailed), posted=each.posted)  # fmt: skip
            await tx.run("note_trouble_mail", now=now)

    async def _post(self) -> None:
        """Post each trouble that began or ended; one that is not taken is posted again at the next look."""
        if not self.settings.troubles.webhook:
            return
        waiting = [each for each in await noted_troubles(self.store) if owed(each, each.posted) is not None]
        if not waiting:
            return
        async with new_session(self.settings.outbound.allowed_networks, 1) as session:
            for each in waiting:
                if not await self._posted(session, each):
                    return
                async with self.store.write() as tx:
                    await tx.run("mark_trouble", kind=each.trouble.kind, object=each.trouble.object,
                                 mailed=each.mailed, posted=owed(each, each.posted))  # fmt: skip

    async def _posted(self, session: aiohttp.ClientSession, noted: Noted) -> bool:
        told, now = self.settings.troubles, self.clock()
        body = orjson.dumps(post_document(noted, now))
        keys = [secret_key(told.webhook_secret)] if told.webhook_secret else []
        signed = webhook_headers(keys, new_id("msg"), now // 1000, body, POST_VERSION)
        headers = {"Content-Type": "application/json", **signed}
        try:
            async with session.post(told.webhook, data=body, headers=headers, allow_redirects=False) as answer:
                if answer.ok:
                    return True
                fault = f"it answered with status {answer.status}"
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            fault = f"{type(error).__name__}: {error}"
        log.warning("a trouble could not be posted, it is posted again", trouble=noted.trouble.kind, fault=fault)
        return False

    async def _forget(self) -> None:
        """Forget what is over and told."""
        for each in await noted_troubles(self.store):
            channels = [*([each.mailed] if self._mails else []),
                        *([each.posted] if self.settings.troubles.webhook else [])]  # fmt: skip
            if is_settled(each, channels):
                async with self.store.write() as tx:
                    await tx.run("forget_trouble", kind=each.trouble.kind, object=each.trouble.object)

    @property
    def _mails(self) -> bool:
        return self.settings.troubles.mail and self.outbox.is_on


def _differs(found: Trouble, noted: Noted | None) -> bool:
    return noted is None or noted.over_at is not None or noted.trouble.sentence != found.sentence


def mail_values(waiting: Sequence[Noted], noted: Sequence[Noted]) -> dict[str, str]:
    """Return what the mail about troubles says: those that began and ended, and how many last in all."""
    began = ordered(each.trouble for each in waiting if each.over_at is None)
    ended = ordered(each.trouble for each in waiting if each.over_at is not None)
    lasting = sum(each.over_at is None for each in noted)
    titles = [KINDS[each.kind].title for each in (*began, *ended)]
    return {
        "title": titles[0] if len(titles) == 1 else f"{titles[0]}, and {len(titles) - 1} more",
        "state": "over" if not began else "trouble",
        "began": _lines(began),
        "ended": _lines(ended),
        "lasting": str(lasting),
    }


def _lines(troubles: Sequence[Trouble]) -> str:
    """Return troubles as one text, divided by " | ", which the templates make lines of."""
    sentences = [each.sentence.replace(" | ", " / ")[:150] for each in troubles[:IN_A_MAIL]]
    more = len(troubles) - IN_A_MAIL
    return " | ".join([*sentences, *([f"{more} more"] if more > 0 else [])])


def post_document(noted: Noted, now: int) -> dict[str, object]:
    """Return the body of a post at a moment (ms UTC)."""
    begins = owed(noted, noted.posted) == TOLD_BEGIN
    return {
        "type": "trouble.began" if begins else "trouble.ended",
        "timestamp": format_instant(now),
        "data": {
            **trouble_document(noted.trouble, noted.trouble.since),
            "title": KINDS[noted.trouble.kind].title,
            "runbook": f"/docs/{anchor(noted.trouble.kind)}",
        },
    }
