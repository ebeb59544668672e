"""How an act is declared: its route, what it takes, what it answers, and the operation that does it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.http.errors import invalid
from hub.mail.outbox import Outbox
from hub.merchant_api.services import Services
from hub.operations.connections.connections import ConnectionAdmin
from hub.operations.users.api_tokens import TokenHolder
from hub.platform_sync.access import Platforms
from hub.plugin_host.translation import Plugins
from hub.sealing import Sealer
from hub.storage import Store
from hub.validation.constraints import Choice, Constraint, Flag, Instant, Text, Whole
from hub.validation.container_constraints import FreeObject, ListOf

MOST_ENTRIES: Final = 200
USUAL_ENTRIES: Final = 50


@frozen
class TokenServices:
    """What the acts work with, beside what the merchant API has; put together by the composition root."""

    shared: Services
    settings: Settings
    platforms: Platforms
    outbox: Outbox

    @property
    def sealer(self) -> Sealer:
        """What seals stored secrets."""
        return self.platforms.sealer

    @property
    def plugins(self) -> Plugins:
        """The installed connectors."""
        return self.platforms.plugins


@frozen
class Field:
    """A member of a body or a parameter of a query."""

    constraint: Constraint
    required: bool = False


Fields = Mapping[str, Field]
"""Members by their names on the wire; the operation gets them in snake_case, those that were given."""


@define(eq=False)
class TokenCall:
    """A request of a token; `store` is the one to act on: it notes the idempotency key in the act's transaction."""

    services: TokenServices
    holder: TokenHolder
    store: Store
    path: Mapping[str, str]
    query: dict[str, Any] = field(factory=dict)
    body: dict[str, Any] = field(factory=dict)

    @property
    def clock(self) -> Clock:
        """The hub's clock."""
        return self.services.shared.clock

    @property
    def own(self) -> str:
        """The affiliate whose token it is; an act of the affiliates' API acts on nothing else."""
        if self.holder.affiliate_id is None:
            raise LookupError("the token is an operator's")
        return self.holder.affiliate_id

    async def root(self) -> str:
        """Return the root of the hub's links."""
        return await self.services.shared.public_root()

    async def connections(self) -> ConnectionAdmin:
        """Return what the acts on connections work with."""
        services = self.services
        return ConnectionAdmin(self.store, services.sealer, services.plugins, self.clock, await self.root())


Run = Callable[[TokenCall], Awaitable[Any]]


@frozen
class ListOfEntries:
    """The answer of a list: a page of entries of a class, named by one of their members."""

    entry: Any


@frozen(eq=False)
class Act:
    """An act: `answer` is the class of its answer; `doing` names what it leaves in the trail, empty for a reader."""

    method: str
    path: str
    operation: str
    summary: str
    run: Run
    answer: Any
    body: Fields = field(factory=dict)
    query: Fields = field(factory=dict)
    doing: tuple[str, ...] = ()
    success: int = 200

    @property
    def writes(self) -> bool:
        """Whether the act changes something, so that its token needs the scope to write."""
        return self.method != "GET"

    @property
    def tag(self) -> str:
        """The group of the act: "merchants"."""
        return self.path.split("/")[1]


def text(about: str, example: str, longest: int = 255) -> Field:
    """Return a member that may be given as text."""
    return Field(Text(longest, min=1, description=about, example=example))


def choice(about: str, *words: str) -> Field:
    """Return a member that is one of some words, if it is given."""
    return Field(Choice(words, description=about, example=words[0]))


def flag(about: str) -> Field:
    """Return a member that is true or false, if it is given."""
    return Field(Flag(description=about, example=True))


def number(about: str, least: int, most: int) -> Field:
    """Return a member that is a whole number, if it is given."""
    return Field(Whole(least, most, description=about, example=least))


def instant(about: str) -> Field:
    """Return a member that is a moment, if it is given."""
    return Field(Instant(description=about))


def texts(about: str, *examples: str) -> Field:
    """Return a member that is a list of texts, if it is given."""
    return Field(ListOf(Text(255, min=1), 200, description=about, example=examples))


def free(about: str, example: Mapping[str, Any]) -> Field:
    """Return a member that is an object of any content, if it is given."""
    return Field(FreeObject(65_536, description=about, example=example))


def needed(member: Field) -> Field:
    """Return the same member as one that must be given."""
    return Field(member.constraint, required=True)


MODE: Final = choice("The mode of the account.", "test", "live")
PAGED: Final[Fields] = {
    "limit": number("Entries per page.", 1, MOST_ENTRIES),
    "cursor": text("The `nextCursor` of the page before.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
}


def snake(name: str) -> str:
    """Return the name of a member as operations have it: expiresIn is expires_in."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


async def newest(
    call: TokenCall, read: Callable[[int, str | None], Awaitable[Sequence[Any]]], key: str = "id"
) -> dict[str, Any]:
    """Return a page of a list that is read newest first; `read(limit, before)` returns what is before an id."""
    limit: int = call.query.get("limit", USUAL_ENTRIES)
    found = await read(limit + 1, call.query.get("cursor"))
    return _page(found, limit, key)


def sliced(call: TokenCall, entries: Sequence[Any], key: str = "id") -> dict[str, Any]:
    """Return a page of a list that is short enough to be read as a whole."""
    limit, cursor = call.query.get("limit", USUAL_ENTRIES), call.query.get("cursor")
    if cursor is not None:
        places = [place for place, entry in enumerate(entries) if entry[key] == cursor]
        if not places:
            raise invalid(["`cursor` must be the `nextCursor` of an earlier page of this list"])
        entries = entries[places[0] + 1 :]
    return _page(entries[: limit + 1], limit, key)


def _page(found: Sequence[Any], limit: int, key: str) -> dict[str, Any]:
    data = list(found[:limit])
    return {"data": data, "nextCursor": data[-1][key] if len(found) > limit else None}
