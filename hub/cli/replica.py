"""Commands that only read and take long: from the replica, if the settings name one, which spares the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import attrs
import click

from hub.cli.invocation import Invocation
from hub.clock import system_clock
from hub.domain.instants import format_instant

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.storage import Store

T = TypeVar("T")


def with_replica(invocation: Invocation, act: Callable[[Store], Awaitable[T]], settings: Settings | None = None) -> T:
    """Run an act that only reads over the replica of the settings, or over the database if there is none.

    Standard error tells of which moment the replica is. One that does not answer is told of, and the database is read.
    """
    chosen = settings or invocation.settings()
    replica = chosen.database.replica
    if not replica or invocation.database is not None:
        return invocation.with_store(act, chosen)
    from hub.storage import StoreUnavailable
    from hub.storage.postgresql.facts import state_of_replica

    try:
        moment = asyncio.run(state_of_replica(replica))
    except StoreUnavailable as fault:
        click.echo(f"The replica is not read, the database is. {fault}", err=True)
        return invocation.with_store(act, chosen)
    behind = max(0, system_clock() - moment) / 1000
    click.echo(f"The replica is read: it is as of {format_instant(moment)}, {behind:.1f} s ago.", err=True)
    return invocation.with_store(act, attrs.evolve(chosen, database=attrs.evolve(chosen.database, url=replica)))
