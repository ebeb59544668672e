"""A change of the master key reaches credentials and the secrets of apps, and nothing shows them."""

from __future__ import annotations

import json

from attrs import evolve

from hub.operations.connections.platform_access import ask_for_read
from hub.operations.connections.platform_apps import app_of, set_app
from hub.operations.connections.platform_view import show_platform
from hub.operations.lists import Wanted
from hub.operations.system.secret_rotation import rotate_secrets
from hub.operations.trail_lists import list_acts
from hub.sealing import Sealer
from tests.platform_sync.acme_shop import asked
from tests.platform_sync.test_consents import SECRET, with_oauth
from tests.processing.harness import Harness

NEW = b"n" * 32


async def test_the_new_key_alone_asks_afterwards(harness: Harness) -> None:
    """The control: without the rotation the new key opens nothing."""
    async with asked(harness, orders=[{"number": "T-1", "total": "10.00"}]) as one:
        await one.give(days=0)
        await one.run()
        with_oauth(one)
        await set_app(one.platforms, "acme", "client-1", SECRET)
        new = evolve(one.platforms, sealer=Sealer.of([NEW]))
        done = await rotate_secrets(harness.store, Sealer.of([bytes(32), NEW]), harness.clock, shared=False)
        assert (done["rotated"], done["left"]) == (3, 0)
        assert (await app_of(new, "acme")).secret == SECRET
        opened = await new.load(**one.key)
        assert opened.values["secret"] == "s3cret"
        one.runner = type(one.runner)(new, harness.submissions)
        one.acme.fault = lambda _: None
        await ask_for_read(new, one.shop.connection_id)
        await one.run()
        assert (await one.reads())[0]["status"] == "DONE"


async def test_secrets_are_neither_shown_nor_in_the_trail(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await one.give()
        shown = json.dumps(await show_platform(one.platforms, one.shop.connection_id))
        trail = json.dumps((await list_acts(sqlite_harness.store, Wanted(limit=50))).entries)
        assert "s3cret" not in shown + trail + repr(one.platforms) + repr(await one.platforms.load(**one.key))
        assert one.address in shown
