"""Commands that a second person does: the option that says who acts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hub.cli.invocation import Invocation

if TYPE_CHECKING:
    from hub.storage import Store

T = TypeVar("T")

BY: dict[str, Any] = {
    "metavar": "E-MAIL", "help": "The operator-admin who acts (default: the system user who runs the command).",
}  # fmt: skip
by_option = click.option("--by", **BY)


def by_parameter() -> click.Parameter:
    """Return the same option for a command that is not made from a function."""
    return click.Option(["--by"], **BY)


def over_store_as(invocation: Invocation, by: str | None, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run an act over a store as the person with this e-mail address; None is the system user."""
    from hub.operations.acting import administrator_named
    from hub.operations.trail import acting_as

    async def acted(store: Store) -> T:
        with acting_as(await administrator_named(store, by)):
            return await act(store)

    return invocation.with_store(acted)
