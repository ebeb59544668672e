"""The access to a connection's platform: its credentials opened, a client over the network, and what ails it noted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import orjson
import structlog
from attrs import field, frozen

from hub.clock import Clock
from hub.domain.connectors.deliveries import secret_identity
from hub.domain.connectors.request_pages import filled_url
from hub.domain.connectors.requests import Requests
from hub.domain.instants import format_instant
from hub.domain.messages.payload_versions import newest_version
from hub.ids import new_id
from hub.mail.outbox import Mail, Outbox
from hub.outbound.pacing import Pacer
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.outbound.platform_session import Budget, BudgetSpent, PlatformSession, Rest
from hub.outbound.platform_tokens import Renew, renew_unkept
from hub.outbound.public_addresses import Network
from hub.platform_sync.no_access import NoAccess
from hub.platform_sync.renewals import Renewals
from hub.platform_sync.sealed_values import opened_values, sealed_values
from hub.plugin_host.translation import HostUnavailable, Plugins
from hub.processing.notices import tell
from hub.processing.notifications import Message
from hub.sealing import Sealer
from hub.storage import Row, Store, Tx

REFUSED: Final = "refused"
SHORT: Final = Budget(seconds=20, requests=200)
"""What asking may cost while a person waits for it."""

log = structlog.get_logger(__name__)


@frozen
class Access:
    """What a connection's platform is asked with; `row` is one of `platform_access_of`."""

    account_id: str
    connection_id: str
    row: Row
    requests: Requests
    values: dict[str, str] = field(repr=False)

    @property
    def key(self) -> dict[str, str]:
        """The key of its rows."""
        return {"account_id": self.account_id, "connection_id": self.connection_id}


@frozen(eq=False)
class Platforms:
    """Opens accesses; `allowed` are networks that may be asked although they are not public.

    `root` returns the public root of the hub's URLs. `pacer` holds the rates of shops and hosts over several sessions,
    `rest` waits between attempts.
    """

    store: Store
    sealer: Sealer
    plugins: Plugins
    clock: Clock
    outbox: Outbox
    root: Callable[[], Awaitable[str]]
    allowed: Sequence[Network] = ()
    pacer: Pacer = field(factory=Pacer)
    budget: Budget = field(factory=Budget)
    rest: Rest = asyncio.sleep

    async def load(self, account_id: str, connection_id: str) -> Access:
        """Return the access of a connection; raise `NoAccess` if its platform cannot be asked now."""
        async with self.store.read() as tx:
            row = await tx.one("platform_access_of", account_id=account_id, connection_id=connection_id)
        if row is None:
            raise NoAccess("It has no credentials, so its platform cannot be asked.")
        requests = await self.requests_of(row["connector"])
        return Access(account_id, connection_id, row, requests, self.opened(connection_id, row["sealed"]))

    async def requests_of(self, connector: str) -> Requests:
        """Return what a connector declares; raise `NoAccess` if it declares no requests or cannot be used now."""
        try:
            declared = (await self.plugins.catalog()).named(connector)
        except HostUnavailable as fault:
            raise NoAccess(str(fault)) from None
        if declared is None or declared.requests is None:
            raise NoAccess(f"The connector {connector} cannot ask its platform.")
        return declared.requests

    def opened(self, connection_id: str, sealed: str) -> dict[str, str]:
        """Return the credentials of a sealed text; raise `NoAccess`."""
        return opened_values(self.sealer, connection_id, sealed)

    def sealed(self, connection_id: str, values: Mapping[str, str]) -> str:
        """Return credentials as they are stored."""
        return sealed_values(self.sealer, connection_id, values)

    @asynccontextmanager
    async def asked(self, access: Access) -> AsyncIterator[PlatformClient]:
        """Yield a client of the platform, and note what comes of it: that it answers, or that it refuses.

        A renewed token is stored before it is used again. Whatever `PlatformFault` the block raises goes on.
        """
        connector = access.row["connector"]
        turns = Renewals(self.store, self.sealer, self.clock, self.rest, access.key, connector, access.requests)
        async with self.session(access.connection_id, access.requests, access.values, turns.renew) as client:
            try:
                yield client
            except PlatformFault as fault:
                if fault.code == REFUSED:
                    await self.note_refusal(access, fault)
                raise
        if access.row["fault"] is not None:
            async with self.store.write() as tx:
                await tx.run("note_access_works", **access.key, now=self.clock())

    async def ask_in_turn(
        self,
        rows: Sequence[Row],
        ask: Callable[[Access, PlatformClient, Row], Awaitable[None]],
        postpone: Callable[[Row, str, bool], Awaitable[None]],
    ) -> None:
        """Ask the platform of one connection about rows, one after the other.

        Where it cannot be asked, those that are left are postponed: with the fault, and whether only the budget is
        spent. Raises `StoreUnavailable`.
        """
        if not rows:
            return
        left = list(rows)
        try:
            access = await self.load(left[0]["account_id"], left[0]["connection_id"])
            async with self.asked(access) as client:
                while left:
                    await ask(access, client, left[0])
                    left.pop(0)
        except (NoAccess, PlatformFault) as fault:
            for each in left:
                await postpone(each, str(fault), isinstance(fault, BudgetSpent))

    @asynccontextmanager
    async def session(
        self,
        connection_id: str,
        requests: Requests,
        values: dict[str, str],
        renew: Renew = renew_unkept,
        budget: Budget | None = None,
    ) -> AsyncIterator[PlatformClient]:
        """Yield a client of a platform under these credentials; its `budget` is that of a reading unless given."""
        bucket = self.pacer.of_shop(_shop(connection_id, requests, values), requests.rate)
        async with PlatformSession(
            requests, values, self.allowed, budget or self.budget, bucket, self.pacer, renew, self.rest,
            clock=self.clock,
        ) as session:  # fmt: skip
            yield PlatformClient(requests, session.ask, values, session.lines)

    @asynccontextmanager
    async def anonymous(self, connection_id: str, requests: Requests) -> AsyncIterator[PlatformSession]:
        """Yield a session that proves nothing, for the request of a token."""
        bucket = self.pacer.of_shop(connection_id, requests.rate)
        async with PlatformSession(requests, {}, self.allowed, SHORT, bucket, self.pacer, rest=self.rest) as session:
            yield session

    async def note_refusal(self, access: Access, fault: PlatformFault) -> None:
        """Note that the platform refuses the credentials, and report it to the merchant the first time."""
        now = self.clock()
        async with self.store.write() as tx:
            row = await tx.one("platform_access_of", **access.key)
            if row is None:
                return
            await tx.run("note_access_fault", **access.key, fault=str(fault), code=fault.code, now=now)
            if row["fault"] is None:
                await self._report_refusal(tx, access, fault, now)
        log.warning("a platform refuses its credentials", connection=access.connection_id, fault=str(fault))

    async def _report_refusal(self, tx: Tx, access: Access, fault: PlatformFault, now: int) -> None:
        merchant = await tx.one("merchant_of_connection", **access.key)
        if merchant is None:
            return
        sentence = (
            f"The affiliate hub cannot ask the shop {merchant['title'] or merchant['connector']} any more. {fault} "
            "Orders that its webhooks miss are not found until new credentials are given, on the connection's page."
        )
        mail = Mail(merchant["email"], "question", {"title": "Your shop refuses the hub", "sentence": sentence})
        await self.outbox.add(tx, now, mail)
        there = f"/merchant/connections/{access.connection_id}"
        await tell(tx, now, "store-refuses", merchant["merchant_id"], "Your store refuses the hub.", there)
        data = {"reason": str(fault)}
        await queue_message(tx, access, merchant, "connection.refused", data, now)

    def signing_secret(self, access: Access) -> str:
        """Return the connection's newest live secret, with which webhooks are signed; empty if it has none."""
        now, secrets = self.clock(), json.loads(access.row["secrets"])
        live = [each for each in secrets if each["expiresAt"] is None or each["expiresAt"] > now]
        if not live:
            return ""
        identity = secret_identity(access.connection_id, live[-1]["id"])
        return self.sealer.open(live[-1]["sealed"], identity).decode()


async def queue_message(
    tx: Tx, access: Access, merchant: Row, event_type: str, data: Mapping[str, Any], now: int
) -> None:
    """Queue a message about a connection for those who subscribed; `merchant` is a row of `merchant_of_connection`."""
    about = {
        "connectionId": access.connection_id,
        "connector": merchant["connector"],
        "title": merchant["title"],
        "at": format_instant(now),
        **data,
    }
    text = orjson.dumps(about).decode()
    message = Message(
        access.account_id, "", access.connection_id, 1, new_id("msg"), event_type, text, now, newest_version()
    )
    await tx.run("queue_messages", messages=[message])


def _shop(connection_id: str, requests: Requests, values: Mapping[str, str]) -> str:
    """Return what names the shop of a connection: where its API is, if the credentials say so."""
    try:
        return filled_url(requests.root, values).lower()
    except KeyError:
        return connection_id
