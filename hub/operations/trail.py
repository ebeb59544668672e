"""The trail: who did what to which thing, written in the transaction of the act and never changed.

Who acts is a context variable, so that an act does not have to pass it on: a page sets it for its request, and without
it the act is that of the system user who runs the process, as for every command. Each asyncio task has a copy of its
own, so requests that are served at the same time cannot take each other's.
"""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypedDict

from attrs import AttrsInstance, frozen

from hub.domain.words import ActorKind, Channel
from hub.ids import new_id
from hub.records.wire import write
from hub.storage import Tx

SECRET_FIELDS: Final = frozenset({"signingSecret", "secret", "url"})
"""Fields of documents that may hold a secret: a sign-in link is a URL. The trail keeps none of them."""


@frozen
class Actor:
    """Who acts; `id` is a user's id or the name of a system user, `address` that of the client, if there is one.

    `token_id` is the token by which they act, if it is one.
    """

    kind: ActorKind
    id: str
    source: Channel
    address: str | None = None
    token_id: str | None = None


class ActDocument(TypedDict):
    """An act; `before` and `after` are the thing as it was and as it became, null if there is nothing to show."""

    id: str
    at: str
    actorKind: str
    actor: str
    act: str
    subjectKind: str
    subject: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    source: str
    address: str | None


Noted = Mapping[str, Any] | AttrsInstance | None
"""A thing as the trail keeps it: a document, or a record (`hub.records`)."""

TIMER: Final = Actor("system", "timer:payouts", "cli")
"""The clock that drafts runs: no person, and its name is that of no system user, which has no colon."""

_actor: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def acting_as(actor: Actor) -> Iterator[None]:
    """Note every act of the block as this actor's."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)


def system_user() -> Actor:
    """Return the system user who runs this process, by the name that the machine knows and not the environment."""
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = str(number)  # containers may run under a number without a name
    return Actor("system", name, "cli")


def current_actor() -> Actor:
    """Return who acts: the person whose request or command this is, else the system user."""
    return _actor.get() or system_user()


async def note_act(
    tx: Tx,
    now: int,
    act: str,
    subject_id: str,
    *,
    before: Noted = None,
    after: Noted = None,
) -> None:
    """Append an act such as "merchant.created" to the trail; its first word is the kind of its subject.

    `before` and `after` are records, or documents as the act's command prints them; fields that may hold a secret are
    left out.
    """
    actor = current_actor()
    await tx.run(
        "append_act",
        trail_id=new_id("act"),
        now=now,
        actor_kind=actor.kind,
        actor_id=actor.id,
        act=act,
        subject_kind=act.partition(".")[0],
        subject_id=subject_id,
        before_json=_stored(before),
        after_json=_stored(after),
        source=actor.source,
        address=actor.address,
    )


def changed_fields(act: ActDocument) -> list[tuple[str, Any, Any]]:
    """Return the name, the old and the new value of each field that an act changed, by name; None is no value."""
    before, after = act["before"] or {}, act["after"] or {}
    names = sorted(before.keys() | after.keys())
    return [(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)]


def _stored(noted: Noted) -> str | None:
    if noted is None:
        return None
    return json.dumps({name: value for name, value in write(noted).items() if name not in SECRET_FIELDS})
