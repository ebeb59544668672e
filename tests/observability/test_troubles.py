"""Faults that are seeded one by one: each is told by command, page, probe, metric, mail and webhook within a minute.

The faults are written into the database as the parts that have them write them; what finds and tells them is real, on
a clock that is moved by hand.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from attrs import define, field
from prometheus_client.parser import text_string_to_metric_families

from hub.app import Hub
from hub.config.settings import Settings, load_settings
from hub.docs_site.documents import documents
from hub.domain.messages.webhook_signing import secret_text, signature
from hub.domain.troubles import KINDS, anchor
from hub.domain.words import TROUBLE_KINDS, TroubleKind
from hub.mail.letters import compose
from hub.mail.outbox import Outbox
from hub.mail.sender import POLL_SECONDS
from hub.observability.metrics import Metrics
from hub.observability.troubles import READ_SECONDS, TroubleBoard
from hub.operations.audits.trouble_watch import WATCH_SECONDS, TroubleWatch
from hub.operations.audits.troubles import find_troubles, list_troubles, noted_troubles
from hub.operations.users.users import NewUser, create_user
from hub.sealing import load_sealer
from hub.storage import Row, Store
from hub.testing.clock import NOON, FakeClock
from tests.certificates import self_signed
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import MASTER_KEY, served

DAY = 86_400_000
KEY = b"k" * 32


@define
class Seeds:
    """Writes rows behind the hub's back; columns that are not named get a value that the schema takes."""

    path: Path

    def add(self, table: str, **values: object) -> None:
        with closing(sqlite3.connect(self.path, timeout=PATIENCE_SECONDS)) as database, database:
            columns = database.execute(f"PRAGMA table_info({table})").fetchall()
            needed = {name: kind for _, name, kind, needed, usual, _ in columns if needed and usual is None}
            row: dict[str, object] = {name: 0 if "INT" in kind else "" for name, kind in needed.items()}
            row |= {name: value for name, value in values.items() if name in {column[1] for column in columns}}
            marks = ", ".join("?" * len(row))
            database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))

    def run(self, statement: str) -> None:
        with closing(sqlite3.connect(self.path, timeout=PATIENCE_SECONDS)) as database, database:
            database.execute(statement)

    def serving(self, **values: object) -> None:
        """Write a process's sign of life."""
        self.add("nodes", node_id="here", seen_at=NOON, master_keys="[]", **values)


@define
class Told:
    """A watch with everything that tells, and what a receiver was posted."""

    watch: TroubleWatch
    board: TroubleBoard
    metrics: Metrics
    clock: FakeClock
    settings: Settings
    seeds: Seeds
    posts: list[dict[str, Any]] = field(factory=list)
    status: int = 200

    async def minute(self) -> None:
        """Let a minute pass: the watch looks four times, and every process reads what it noted."""
        for _ in range(4):
            self.clock.now += 15_000
            self.seeds.run(f"UPDATE nodes SET seen_at = {self.clock.now}")
            await self.watch.run()
        await self.board.refresh()

    async def mails(self) -> list[str]:
        async with self.watch.store.read() as tx:
            rows = await tx.all("due_mails", now=self.clock() + 1, limit=100)
        return [text_of(row) for row in rows]

    async def lasting(self) -> list[TroubleKind]:
        return [each["kind"] for each in await list_troubles(self.watch.store, self.clock(), self.settings)]

    def shown(self) -> dict[str, float]:
        text = self.metrics.exposition().decode()
        (family,) = [each for each in text_string_to_metric_families(text) if each.name == "hub_trouble"]
        return {sample.labels["kind"]: sample.value for sample in family.samples}


def text_of(row: Row) -> str:
    """Return the text of a stored mail."""
    message = compose(
        row["template"], json.loads(row["parameters"]), link="https://hub.example/operator", expires_at=None,
        mail_id=row["mail_id"], recipient=row["recipient"], sender="hub@hub.example", now=NOON,
    )  # fmt: skip
    plain = message.get_body(("plain",))
    assert isinstance(plain, EmailMessage)
    return str(plain.get_content())


@asynccontextmanager
async def receiver(posts: list[dict[str, Any]], status: Callable[[], int] = lambda: 200) -> AsyncIterator[str]:
    """Where troubles are posted; yields its address."""

    async def take(request: web.Request) -> web.Response:
        body = await request.read()
        given = request.headers
        expected = signature(KEY, given["webhook-id"], int(given["webhook-timestamp"]), body)
        assert given["webhook-signature"] == expected
        posts.append(json.loads(body))
        return web.Response(status=status())

    application = web.Application()
    application.router.add_post("/", take)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@pytest.fixture
async def told(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Told]:
    async with await Store.open(sqlite_url) as store:
        metrics, seeds = Metrics(), Seeds(Path(sqlite_url.removeprefix("sqlite:///")))
        await create_user(store, clock, NewUser("olu@hub.example", "operator-admin"))

        async def lasting() -> list[Any]:
            return [each.trouble for each in await noted_troubles(store) if each.over_at is None]

        async def root() -> str:
            return "https://hub.example"

        made = Told(None, TroubleBoard(lasting, metrics), metrics, clock, None, seeds)  # type: ignore[arg-type]  # below
        async with receiver(made.posts, lambda: made.status) as address:
            made.settings = load_settings(None, {
                "HUB_DATABASE_URL": sqlite_url, "HUB_MASTER_KEY": MASTER_KEY, "HUB_TROUBLES_WEBHOOK": address,
                "HUB_TROUBLES_WEBHOOK_SECRET": secret_text(KEY), "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.1",
                "HUB_TROUBLES_DIGEST": "1m", "HUB_DATABASE_RESERVE": "0",
            })  # fmt: skip
            outbox = Outbox(load_sealer(made.settings), is_on=True)
            made.watch = TroubleWatch(store, clock, made.settings, outbox, root)
            seeds.serving()
            yield made


CONNECTED = {"account_id": "a", "connection_id": "con_1", "status": "ACTIVE"}
EVENT = {"account_id": "a", "event_id": "evt_1", "type": "webhook"}
ROWS: dict[TroubleKind, Callable[[int], list[tuple[str, Mapping[str, object]]]]] = {
    "backlog": lambda now: [("events", {**EVENT, "status": "RECEIVED", "due_at": now - 61_000})],
    "messages_failed": lambda _: [("events", {**EVENT, "status": "FAILED"})],
    "timers_late": lambda now: [("leases", {"name": "release_holds", "owner": "gone", "expires_at": now - 121_000})],
    "audit_violated": lambda now: [("audit_runs", {"run_id": "aud_1", "finished_at": now, "violations": 2})],
    "mail_failing": lambda now: [
        ("mails", {"mail_id": "mail_1", "recipient": "ada@blog.example", "status": "WAITING", "due_at": now + 900_000,
                   "fault": "It cannot be reached.", "created_at": now, "template": "notice", "parameters": "{}"})],
    "mail_given_up": lambda now: [("mails", {"mail_id": "mail_2", "status": "GIVEN_UP", "finished_at": now})],
    "receivers_failing": lambda now: [
        ("subscriptions", {"subscription_id": "sub_1", "account_id": "a", "kind": "WEBHOOK", "status": "ACTIVE",
                           "failing_since": now - 31_000})],
    "platform_refuses": lambda now: [
        ("connections", CONNECTED), ("platform_access", {**CONNECTED, "fault": "No.", "fault_at": now})],
    "store_silent": lambda now: [
        ("connections", CONNECTED),
        ("events", {**EVENT, "status": "PROCESSED", "connection_id": "con_1", "received_at": now - 2 * DAY})],
    "uploads_stuck": lambda now: [
        ("uploads", {"account_id": "a", "upload_id": "upl_1", "kind": "orders", "source": "spool", "status": "RUNNING",
                     "lease_until": now - 121_000, "created_at": now - 601_000})],
    "keys_ending": lambda now: [
        ("accounts", {"account_id": "a", "mode": "live"}),
        ("api_keys", {"key_id": "ak_live_1", "account_id": "a", "sealed_secret": "x", "created_at": now - 83 * DAY,
                      "expires_at": now + 7 * DAY})],
    "audit_old": lambda now: [("merchants", {"merchant_id": "m", "status": "PENDING", "created_at": now - 9 * DAY})],
    "backup_old": lambda now: [("merchants", {"merchant_id": "m", "status": "PENDING", "created_at": now - 9 * DAY})],
}  # fmt: skip
"""The rows of a fault at a moment, by their tables; `CHANGES` has those that are seen in the rows of processes."""
CHANGES: dict[TroubleKind, str] = {
    "pool_exhausted": "UPDATE nodes SET exhausted_at = seen_at + 30000",
    "clock_jumped": "UPDATE nodes SET clock_jump_ms = 600000",
    "plugin_set_aside": """UPDATE nodes SET plugins = '{"setAside": {"hub-shopify": "it does not load"}}'""",
}


def seed(seeds: Seeds, kind: TroubleKind, now: int) -> None:
    """Write the rows of a fault."""
    if kind in CHANGES:
        seeds.run(CHANGES[kind])
        return
    for table, values in ROWS[kind](now):
        seeds.add(table, **values)


SEEN_OTHERWISE = ("nobody_serves", "disk_short", "replica_behind", "certificate_ending")
SEEDED = [kind for kind in TROUBLE_KINDS if kind not in SEEN_OTHERWISE]
"""Those that are left are seen without rows, in tests of their own below."""


@pytest.mark.parametrize("kind", SEEDED)
async def test_a_seeded_fault_is_told_everywhere_within_a_minute(told: Told, kind: TroubleKind) -> None:
    await told.minute()
    assert await told.lasting() == [], "the control: all is well"
    assert set(told.shown().values()) == {0}
    seed(told.seeds, kind, told.clock())
    await told.minute()
    await told_everywhere(told, kind)


async def told_everywhere(told: Told, kind: TroubleKind) -> None:
    """Fail unless command, page, metric, probe, webhook and mail tell of it."""
    assert kind in await told.lasting()
    assert told.shown()[kind] == 1
    assert [each for each in told.board.notices() if each.startswith(KINDS[kind].title)]
    assert kind in [post["data"]["kind"] for post in told.posts]
    sentence = next(each.sentence for each in told.board.shown if each.kind == kind)
    (mail,) = [text for text in await told.mails() if "The hub needs attention" in text]
    assert re.split(r"\d", sentence)[0] in mail, "its figures are those of then"


@asynccontextmanager
async def showing(folder: Path, until: datetime) -> AsyncIterator[str]:
    """A server that shows a certificate; yields its address."""
    key, certificate = self_signed(folder, "localhost", until)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_certificate_that_ends_is_told_everywhere_within_a_minute(told: Told, tmp_path: Path) -> None:
    """Those who ask later read what the watch noted, and a new certificate ends it."""
    noon = datetime.fromtimestamp(NOON / 1000, UTC)
    async with showing(tmp_path, noon + timedelta(days=90)) as root:
        told.watch.certificate.root = root
        await told.minute()
        assert await told.lasting() == [], "the control: it lasts for long"
    async with showing(tmp_path, noon + timedelta(days=13)) as root:
        told.watch.certificate.root = root
        await told.minute()
        await told_everywhere(told, "certificate_ending")
    await told.minute()
    (trouble,) = await list_troubles(told.watch.store, told.clock(), told.settings)
    day = (noon + timedelta(days=13)).date().isoformat()
    assert trouble["sentence"] == f"The certificate of {root} ends on {day}.", "the address may be away for a while"
    async with showing(tmp_path, noon + timedelta(days=90)) as root:
        told.watch.certificate.root = root
        await told.minute()
    assert await told.lasting() == []


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("it was made for an hour", {"created_at": NOON - 3_600_000}),
        ("it ends later", {"expires_at": NOON + 8 * DAY}),
        ("it was revoked", {"revoked_at": NOON}),
        ("it has ended", {"expires_at": NOON}),
    ],
)
async def test_a_key_that_is_meant_to_end_or_lasts_is_no_trouble(
    told: Told, what: str, change: Mapping[str, object]
) -> None:
    (account, (table, key)) = ROWS["keys_ending"](NOON)
    told.seeds.add(account[0], **account[1])
    told.seeds.add(table, **{**key, **change})
    assert await told.lasting() == [], what
    told.seeds.add("api_tokens", token_id="tok_1", last_used_at=NOON, created_at=NOON - 90 * DAY,
                   expires_at=NOON + DAY)  # fmt: skip
    (trouble,) = await list_troubles(told.watch.store, told.clock(), told.settings)
    assert trouble["sentence"].startswith("1 keys or tokens end within a week, tok_1 on "), "the control"


class TestReplica:
    """A database of PostgreSQL that knows what the hub wrote as a replica does: late, or not at all."""

    @pytest.fixture
    async def replica(self, told: Told, postgres_url: str) -> AsyncIterator[Replica]:
        settings = load_settings(None, {
            "HUB_DATABASE_URL": told.settings.database.url, "HUB_DATABASE_REPLICA": postgres_url,
            "HUB_DATABASE_RESERVE": "0", "HUB_TROUBLES_WEBHOOK": told.settings.troubles.webhook,
            "HUB_TROUBLES_WEBHOOK_SECRET": secret_text(KEY), "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.1",
            "HUB_TROUBLES_DIGEST": "1m",
        })  # fmt: skip
        told.settings = settings
        told.watch = TroubleWatch(told.watch.store, told.clock, settings, told.watch.outbox, told.watch.root)
        async with await Store.open(postgres_url) as store:
            made = Replica(told, store)
            await made.catch_up()
            yield made

    async def test_one_that_falls_behind_is_told_everywhere_within_a_minute(self, told: Told, replica: Replica) -> None:
        await told.watch.run()
        assert await told.lasting() == [], "the control: it has what the database has"
        await told.minute()
        assert await told.lasting() == [], "a minute behind is still borne"
        await told.minute()
        await told_everywhere(told, "replica_behind")
        (trouble,) = await list_troubles(told.watch.store, told.clock(), told.settings)
        assert trouble["sentence"] == "The replica is 120 seconds behind."
        await replica.catch_up()
        await told.watch.run()
        assert await told.lasting() == []

    async def test_one_of_another_database_is_named(self, told: Told, replica: Replica) -> None:
        async with replica.store.write() as tx:
            await tx.run("sweep_nodes", cutoff=told.clock() + 1)
        (trouble,) = await list_troubles(told.watch.store, told.clock(), told.settings)
        assert "is it one of this database?" in trouble["sentence"]

    async def test_one_that_is_away_is_told_with_the_reason(self, told: Told) -> None:
        told.settings = load_settings(None, {
            "HUB_DATABASE_URL": told.settings.database.url, "HUB_DATABASE_RESERVE": "0",
            "HUB_DATABASE_REPLICA": "postgresql://hub@127.0.0.1:1/hub",
        })  # fmt: skip
        (trouble,) = await list_troubles(told.watch.store, told.clock(), told.settings)
        assert (trouble["kind"], "does not answer" in trouble["sentence"]) == ("replica_behind", True)


@define
class Replica:
    """The database that is taken for a replica."""

    told: Told
    store: Store

    async def catch_up(self) -> None:
        """Let it know of the hub's sign of life."""
        async with self.store.write() as tx:
            await tx.run("write_heartbeat", node_id="here", started_at=NOON, now=self.told.clock(), master_keys="[]",
                         clock_jump_ms=0, plugins=None, exhausted_at=0)  # fmt: skip


def test_the_parts_that_tell_take_less_than_a_minute_together() -> None:
    assert WATCH_SECONDS + READ_SECONDS + POLL_SECONDS < 60


async def test_that_nobody_serves_is_for_commands_to_say(told: Told) -> None:
    """A process that tells of it would not be gone."""
    told.seeds.run("DELETE FROM nodes")
    assert [each.kind for each in await find_troubles(told.watch.store, told.clock(), told.settings)] == [
        "nobody_serves"
    ]
    await told.watch.run()
    assert await noted_troubles(told.watch.store) == []


async def test_a_disk_that_is_nearly_full_is_found(
    told: Told, monkeypatch: pytest.MonkeyPatch, sqlite_url: str
) -> None:
    monkeypatch.setattr("hub.operations.audits.troubles.free_and_total", lambda _: (1_000, 10_000_000))
    settings = load_settings(None, {"HUB_DATABASE_URL": sqlite_url})
    assert [each.kind for each in await find_troubles(told.watch.store, told.clock(), settings)] == ["disk_short"]


async def test_its_end_is_told_once_and_then_it_is_forgotten(told: Told) -> None:
    seed(told.seeds, "mail_failing", told.clock())
    await told.minute()
    told.seeds.run("UPDATE mails SET fault = NULL")
    await told.minute()
    await told.minute()
    assert [post["type"] for post in told.posts] == ["trouble.began", "trouble.ended"]
    assert sum("Resolved:" in text for text in await told.mails()) == 1
    assert await noted_troubles(told.watch.store) == []
    assert told.shown()["mail_failing"] == 0


async def test_one_that_comes_and_goes_is_told_once_a_digest(told: Told) -> None:
    """It returns before its end was told, so it never was over."""
    seed(told.seeds, "receivers_failing", told.clock())
    await told.watch.run()
    began = len(await told.mails())
    for failing in ("NULL", str(told.clock() - 31_000)) * 3:
        told.seeds.run(f"UPDATE subscriptions SET failing_since = {failing}")
        told.clock.now += 1_000
        told.seeds.run(f"UPDATE nodes SET seen_at = {told.clock.now}")
        await told.watch.run()
    assert len(await told.mails()) == began == 1


async def test_a_receiver_that_refuses_is_asked_again(told: Told) -> None:
    told.status = 503
    seed(told.seeds, "messages_failed", told.clock())
    await told.minute()
    assert len(told.posts) == 4
    told.status = 200
    await told.minute()
    assert len(told.posts) == 5


async def test_quiet_hours_keep_what_can_wait_for_the_morning(told: Told) -> None:
    told.watch = TroubleWatch(
        told.watch.store, told.clock, load_settings(None, {
            "HUB_DATABASE_URL": told.settings.database.url, "HUB_TROUBLES_QUIET_HOURS": "11:00-13:00",
            "HUB_DATABASE_RESERVE": "0",
        }), told.watch.outbox, told.watch.root,
    )  # fmt: skip
    seed(told.seeds, "messages_failed", told.clock())
    await told.minute()
    assert await told.mails() == []
    seed(told.seeds, "clock_jumped", told.clock())
    await told.minute()
    (mail,) = await told.mails()
    assert "Messages failed" in mail, "what waited comes along"


async def test_a_hub_that_serves_tells_of_them(sqlite_url: str, clock: FakeClock) -> None:
    """From the scheduled watch to the probes and the page of a real hub."""
    async with served(sqlite_url, clock) as hub:
        Seeds(Path(sqlite_url.removeprefix("sqlite:///"))).add(
            "events", account_id="a", event_id="evt_2", type="conversion", status="FAILED"
        )
        await hub.parts.telling.watch.run()
        await hub.parts.telling.board.refresh()
        notices, metrics = await probed(hub)
        assert "Messages failed: /docs/troubles#messages-failed" in notices
        assert 'hub_trouble{kind="messages_failed"} 1.0' in metrics


async def probed(hub: Hub) -> tuple[list[str], str]:

    async with aiohttp.ClientSession(hub.url) as session:
        async with session.get("/readyz") as ready:
            notices = (await ready.json())["notices"]
        async with session.get("/metrics") as metrics:
            return notices, await metrics.text()


def test_every_kind_has_its_section_in_the_documents() -> None:
    """And no section is about a kind that there is not."""
    source = next(each.source for each in documents().values() if each.name == "troubles")
    headings = [line.removeprefix("## ") for line in source.splitlines() if line.startswith("## ")]
    assert [f"troubles#{heading.lower().replace(' ', '-')}" for heading in headings] == list(map(anchor, TROUBLE_KINDS))
    for section in source.split("\n## ")[1:]:
        assert len(section) > 150, f"{section.splitlines()[0]} says what it means and how it is mended"
