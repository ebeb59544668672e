"""Master keys: a missing one stops the start and costs a 503, never a 500; secrets are sealed anew while serving."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import pytest
import structlog

from hub import app
from hub.app import Hub, running
from hub.config.settings import Settings, load_settings
from hub.domain.messages.payload_versions import newest_version
from hub.operations.errors import OperatorFault
from hub.operations.merchants.keys import issue_key
from hub.operations.system import secret_rotation
from hub.operations.system.master_keys import add_key, drop_key, require_master_keys
from hub.operations.system.secret_rotation import count_sealed, rotate_secrets, secret_status
from hub.sealing import Sealer, SealingFault, key_file, load_sealer, master_key_id
from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.merchant_api.test_stuck_store import order, recovered
from tests.served_hub import MASTER_KEY, Api, ApiKey, api_of, installed_plugins, log_of, new_merchant, served

OLD, NEW = bytes.fromhex(MASTER_KEY), b"n" * 32
SUBSCRIPTION = f"sub_{0:032x}"
FRESH_MS = 2_000
"""How old a cached key may be."""


async def key_under(hub: Hub, clock: FakeClock, master_key: bytes, merchant_id: str) -> ApiKey:
    """A key whose secret is sealed under this master key, as an operator elsewhere would make it."""
    sealer = Sealer.of([master_key])
    made = await issue_key(hub.parts.store, sealer, clock, merchant_id=merchant_id, mode="test")
    return ApiKey(made.key_id, made.signing_secret, merchant_id)


async def add_connection(store: Store, account_id: str, connection_id: str, sealed: Iterable[str]) -> None:
    secrets = ",".join(
        f'{{"id":"sec_{n}","sealed":"{text}","createdAt":1,"expiresAt":null}}' for n, text in enumerate(sealed)
    )
    async with store.write() as tx:
        await tx.run("insert_connection_route", connection_id=connection_id, account_id=account_id)
        await tx.run(
            "insert_connection",
            account_id=account_id,
            connection_id=connection_id,
            connector="acme",
            title="Shop",
            secrets=f"[{secrets}]",
            options="{}",
            link_parameters="{}",
            now=1,
        )


class TestStart:
    async def test_is_refused_and_names_the_keys_that_are_missing(self, database_url: str, clock: FakeClock) -> None:
        async with served(database_url, clock) as hub, api_of(hub, clock):
            pass
        with pytest.raises(
            SealingFault, match=f"under the master keys {master_key_id(OLD)}, .* only {master_key_id(NEW)}"
        ):
            async with served(database_url, clock, HUB_MASTER_KEY=NEW.hex()):
                pass
        async with served(database_url, clock, HUB_MASTER_KEY=f"{MASTER_KEY},{NEW.hex()}"):
            pass

    async def test_control_without_the_comparison_it_would_serve_and_refuse_everybody(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
            key = api.key

        async def careless(store: Store, sealer: Sealer) -> None:
            return None

        monkeypatch.setattr(app, "require_master_keys", careless)
        async with (
            served(sqlite_url, clock, HUB_MASTER_KEY=NEW.hex()) as hub,
            aiohttp.ClientSession(hub.url) as session,
        ):
            assert (await order(Api(session, key, clock), 1)).status == 503

    async def test_a_hub_without_secrets_starts_with_any_key(self, database_url: str) -> None:
        async with await Store.open(database_url) as store:
            await require_master_keys(store, Sealer.of([NEW]))


class TestWhileServing:
    async def test_a_secret_under_another_master_key_is_503_with_one_line_and_hurts_nobody_else(
        self, hub: Hub, api: Api, clock: FakeClock
    ) -> None:
        strange = await key_under(hub, clock, NEW, api.key.merchant_id)
        with structlog.testing.capture_logs() as lines:
            reply = await order(api.with_key(strange), 1)
        assert (reply.status, reply.headers["Retry-After"]) == (503, "60")
        assert [(line["log_level"], master_key_id(NEW) in line["fault"]) for line in lines] == [("warning", True)]
        assert (await order(api, 1)).status == 202
        assert [row["errorCode"] for row in await log_of(hub)] == ["secret_unreadable"]

    async def test_a_delivery_too(self, hub: Hub, api: Api, clock: FakeClock) -> None:
        account = f"con_{'a' * 32}"
        async with hub.parts.store.read() as tx:
            (mine, *_) = [row["account_id"] for row in await tx.all("all_accounts")]
        await add_connection(hub.parts.store, mine, account, [Sealer.of([NEW]).seal(b"x", f"{account}/sec_0")])
        async with api.session.post(f"/connect/{account}", data=b"{}") as reply:
            assert reply.status == 503


@asynccontextmanager
async def filed(url: str, clock: FakeClock) -> AsyncIterator[tuple[Settings, Hub]]:
    """A hub with its master keys in the file beside the database."""
    with TemporaryDirectory() as uploads:
        environ = {"HUB_DATABASE_URL": url, "HUB_SERVER_PORT": "0", "HUB_UPLOADS_DIRECTORY": f"{uploads}/files"}
        settings = load_settings(None, environ)
        async with running(settings, clock=clock, plugins=installed_plugins()) as hub:
            yield settings, hub


class TestRotation:
    async def test_beside_a_serving_hub_nobody_notices(self, sqlite_url: str, clock: FakeClock) -> None:
        """Add, rotate, drop; orders are signed and taken all the while, and the old key opens nothing any more."""
        async with filed(sqlite_url, clock) as (settings, hub), api_of(hub, clock) as api:
            store = hub.parts.store
            await recovered(api, 0)
            old = load_sealer(settings).current
            new = add_key(settings)
            done = await rotate_secrets(store, load_sealer(settings), clock, shared=False)
            assert (done["rotated"], done["current"], await count_sealed(store)) == (1, new, {new: 1})
            clock.advance(FRESH_MS)  # the hub reads the secret again
            assert (await order(api, 1)).status == 202
            drop_key(settings, old)
            clock.advance(FRESH_MS)
            assert (await order(api, 2)).status == 202
            assert list(load_sealer(settings).keys) == [new]

    async def test_control_a_hub_that_does_not_look_at_the_file_again_would_refuse_them(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Sealer, "_added_key", lambda self, key_id: None)
        async with filed(sqlite_url, clock) as (settings, hub), api_of(hub, clock) as api:
            add_key(settings)
            await rotate_secrets(hub.parts.store, load_sealer(settings), clock, shared=False)
            clock.advance(FRESH_MS)
            assert (await order(api, 1)).status == 503

    async def test_every_secret_of_every_kind_and_what_was_broken_off_goes_on(
        self, either_hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(secret_rotation, "PAGE", 2)
        store, before, sealer = either_hub.parts.store, Sealer.of([OLD]), Sealer.of([OLD, NEW])
        merchant_id = await new_merchant(either_hub, clock, approve=True)
        for _ in range(5):
            await key_under(either_hub, clock, OLD, merchant_id)
        async with store.read() as tx:
            accounts = [row["account_id"] for row in await tx.all("all_accounts")]
        for number in range(5):
            name = f"con_{number:032x}"
            sealed = [before.seal(b"secret", f"{name}/sec_{each}") for each in range(2)]
            await add_connection(store, accounts[number % 2], name, sealed)
        await _add_subscription(store, accounts[0], before.seal(b"secret", SUBSCRIPTION))
        assert await count_sealed(store) == {master_key_id(OLD): 16}

        with pytest.raises(KeyboardInterrupt), monkeypatch.context() as patched:
            patched.setattr(secret_rotation, "_resealed", _breaking_off(after=8))
            await rotate_secrets(store, sealer, clock, shared=False)
        counts = await count_sealed(store)
        assert 0 < counts[master_key_id(NEW)] < 16
        done = await rotate_secrets(store, sealer, clock, shared=False)
        assert (done["rotated"], done["left"]) == (counts[master_key_id(OLD)], 0)
        assert await count_sealed(store) == {master_key_id(NEW): 16}
        assert (await rotate_secrets(store, sealer, clock, shared=False))["rotated"] == 0
        await _all_open(store, Sealer.of([NEW]))

    async def test_nodes_that_lack_the_new_key_stop_it(self, postgres_url: str, clock: FakeClock) -> None:
        sealer = Sealer.of([OLD, NEW])
        async with served(postgres_url, clock) as hub, api_of(hub, clock):
            with pytest.raises(OperatorFault, match=f"{master_key_id(NEW)} is not known to .*HUB_MASTER_KEY"):
                await rotate_secrets(hub.parts.store, sealer, clock, shared=True)
            status = await secret_status(hub.parts.store, sealer, clock)
            assert [node["masterKeys"] for node in status["processes"]] == [[master_key_id(OLD)]]
        clock.advance(60_000)
        both = f"{MASTER_KEY},{NEW.hex()}"
        async with (
            served(postgres_url, clock, HUB_MASTER_KEY=both) as hub,
            served(postgres_url, clock, HUB_MASTER_KEY=both) as other,
            api_of(other, clock) as api,
        ):
            done = await rotate_secrets(hub.parts.store, sealer, clock, shared=True)
            assert done["left"] == 0
            clock.advance(FRESH_MS)
            assert (await order(api, 1)).status == 202

    async def test_a_secret_that_no_key_opens_is_named(self, hub: Hub, api: Api, clock: FakeClock) -> None:
        strange = await key_under(hub, clock, b"s" * 32, api.key.merchant_id)
        with pytest.raises(SealingFault, match=strange.key_id):
            await rotate_secrets(hub.parts.store, Sealer.of([OLD, NEW]), clock, shared=False)


def _breaking_off(*, after: int) -> Any:
    left = after
    resealed = secret_rotation._resealed

    def until_then(*args: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return resealed(*args)

    return until_then


async def _add_subscription(store: Store, account_id: str, sealed: str) -> None:
    """Insert a subscription, whose secrets have no ids of their own."""
    async with store.write() as tx:
        await tx.run(
            "insert_subscription", subscription_id=SUBSCRIPTION, account_id=account_id, affiliate_id=None, mode=None,
            kind="WEBHOOK", url="https://shop.example", patterns="[]", event_types=",,",
            secrets=json.dumps([{"sealed": sealed, "expiresAt": None}]), status="ACTIVE", description=None,
            reason=None, now=1, version=newest_version(),
        )  # fmt: skip


async def _all_open(store: Store, sealer: Sealer) -> None:
    async with store.read() as tx:
        keys = await tx.all("sealed_key_page", after="", limit=100)
        assert all(sealer.open(row["sealed_secret"], row["key_id"]) for row in keys)
        kept = [json.loads(row["secrets"]) for row in await tx.all("subscription_secret_page", after="", limit=100)]
        assert [sealer.open(each["sealed"], SUBSCRIPTION) for (each,) in kept] == [b"secret"] * len(kept)


class TestKeyFile:
    def settings(self, folder: Path, **environ: str) -> Settings:
        return load_settings(None, {"HUB_DATABASE_URL": f"sqlite:///{folder}/hub.db", **environ})

    def test_keeps_all_keys_for_its_owner_alone(self, tmp_path: Path) -> None:
        settings = self.settings(tmp_path)
        first = load_sealer(settings).current
        second = add_key(settings)
        sealer = load_sealer(settings)
        assert (list(sealer.keys), sealer.current) == ([first, second], second)
        file = key_file(tmp_path / "hub.db")
        assert file.stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir()] == [file.name]

    def test_the_key_that_seals_stays(self, tmp_path: Path) -> None:
        settings = self.settings(tmp_path)
        with pytest.raises(OperatorFault, match="hub secret add"):
            drop_key(settings, load_sealer(settings).current)
        with pytest.raises(OperatorFault, match="no master key 00000000"):
            drop_key(settings, "00000000")

    def test_configured_keys_are_changed_where_they_are(self, tmp_path: Path) -> None:
        with pytest.raises(OperatorFault, match='"old,new" first'):
            add_key(self.settings(tmp_path, HUB_MASTER_KEY=MASTER_KEY))

    def test_its_text_is_a_configured_value_too(self, tmp_path: Path) -> None:
        """`export HUB_MASTER_KEY="$(cat var/hub.db.key)"`, as a move to PostgreSQL says."""
        settings = self.settings(tmp_path)
        load_sealer(settings)
        add_key(settings)
        text = key_file(tmp_path / "hub.db").read_text()
        assert load_sealer(self.settings(tmp_path, HUB_MASTER_KEY=text.strip())).keys == load_sealer(settings).keys
