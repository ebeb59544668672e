"""`hub migrate`: the schema, brought up to date before a new release serves."""

from __future__ import annotations

from typing import Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import say, tell


@click.command()
@invoked
def migrate(invocation: Invocation) -> None:
    """Bring the database's schema up to date; doing it again changes nothing."""
    import asyncio

    document = asyncio.run(_migrate(invocation.settings().database.url))
    tell(invocation, document, lambda: say(f"The schema is at version {document['schemaVersion']}."))


async def _migrate(url: str) -> dict[str, Any]:
    from hub.storage import Store

    async with await Store.open(url, migrate=True) as store:
        return {"schemaVersion": await store.schema_version()}
