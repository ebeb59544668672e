"""A request to do an act: by whom, on what and with which values, and what the act works with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from attrs import define, field

from hub.operations.lists import Page, Wanted

if TYPE_CHECKING:
    from hub.clock import Clock
    from hub.config.settings import Settings
    from hub.mail.outbox import Outbox
    from hub.operations.changes.waiting import Waiters
    from hub.operations.connections.connections import ConnectionAdmin
    from hub.platform_sync.access import Platforms
    from hub.plugin_host.translation import Plugins
    from hub.processing.policy import Policy
    from hub.sealing import Sealer
    from hub.storage import Store

MOST_ENTRIES: Final = 200
USUAL_ENTRIES: Final = 50


class ActServices(Protocol):
    """What the acts work with beside the store; each surface has its own way to get them."""

    @property
    def clock(self) -> Clock:
        """The hub's clock."""
        ...

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Where mails wait."""
        ...

    @property
    def sealer(self) -> Sealer:
        """What seals stored secrets."""
        ...

    @property
    def plugins(self) -> Plugins:
        """The installed connectors."""
        ...

    @property
    def platforms(self) -> Platforms:
        """What asks platforms."""
        ...

    @property
    def policy(self) -> Policy:
        """What counts if neither campaign nor merchant says so."""
        ...

    @property
    def root(self) -> Callable[[], Awaitable[str]]:
        """What returns the root of the hub's links."""
        ...


@define(eq=False)
class Call:
    """An act that is asked for; `path` names what it acts on, `query` and `body` have what was given, in snake_case.

    `store` is the one to act on: for a token it notes the idempotency key in the act's transaction. `caller` is who
    asks, for notices; `affiliate_id` the affiliate whose token it is, None for operators.
    """

    services: ActServices
    store: Store
    path: Mapping[str, str]
    caller: str = ""
    affiliate_id: str | None = None
    scopes: Collection[str] | None = None
    """Those of the token, for an act that does as much as they reach; None reaches everything."""
    as_lines: bool = False
    """Whether a change feed is asked for as lines, in one answer up to its end."""
    waiters: Waiters | None = None
    """The questions that the process holds open until something changes."""
    query: dict[str, Any] = field(factory=dict)
    body: dict[str, Any] = field(factory=dict)

    @property
    def clock(self) -> Clock:
        """The hub's clock."""
        return self.services.clock

    @property
    def own(self) -> str:
        """The affiliate whose token it is; an act of the affiliates' API acts on nothing else."""
        if self.affiliate_id is None:
            raise LookupError("the token is an operator's")
        return self.affiliate_id

    async def root(self) -> str:
        """Return the root of the hub's links."""
        return await self.services.root()

    async def connections(self) -> ConnectionAdmin:
        """Return what the acts on connections work with."""
        from hub.operations.connections.connections import ConnectionAdmin

        services = self.services
        return ConnectionAdmin(self.store, services.sealer, services.plugins, self.clock, await self.root())


Run = Callable[[Call], Awaitable[Any]]


def wanted_of(call: Call, *filters: str, **renamed: str) -> Wanted:
    """Return which part of a list is asked for, by those of its filters that have these names in the query.

    A filter of another name than its parameter is given as `filter="parameter"`.
    """
    asked = {name: call.query.get(name) for name in filters}
    asked |= {name: call.query.get(parameter) for name, parameter in renamed.items()}
    return Wanted(asked, call.query.get("limit", USUAL_ENTRIES), call.query.get("cursor"))


def answer(page: Page[Any]) -> dict[str, Any]:
    """Return the answer that a part of a list is."""
    return {"data": page.entries, "nextCursor": page.following}


def whole(entries: Sequence[Any]) -> dict[str, Any]:
    """Return the answer that a list is which is always short."""
    return {"data": entries, "nextCursor": None}
