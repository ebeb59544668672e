"""Whichever door a shop's rows come by, the ledger is the same, byte for byte."""

from __future__ import annotations

import asyncio
import csv
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
from attrs import frozen

from hub.app import Hub
from hub.config.settings import Settings, load_settings
from hub.operations.files.file_jobs import FileJob, Observer
from hub.operations.files.uploads import apply_file
from hub.operations.merchants.keys import issue_key
from hub.sealing import load_sealer
from hub.testing.clock import FakeClock
from tests.csv_import.ledger import Row, Year, ledger
from tests.polling import until
from tests.processing.harness import Harness
from tests.served_hub import MASTER_KEY, Api, ApiKey, served

UNLIMITED = {f"HUB_LIMITS_{name}": "0" for name in ("PER_MINUTE", "PER_HOUR", "IMPORT_PER_MINUTE", "IMPORT_PER_HOUR")}
PATHS = {"orders": "/v1/conversions", "statuses": "/v1/order-status"}
PROVE_SECONDS = int(float(os.environ.get("PROVE_SECONDS", "30")))
WAITING = """SELECT (SELECT COUNT(*) FROM events WHERE status IN ('RECEIVED', 'QUEUED'))
    + (SELECT COUNT(*) FROM repeated_reports)"""
AT_ONCE = 64
"""Requests under way together; fewer than there are orders, or an order and its repetition could change places."""


@frozen
class Stage:
    """Two databases that begin alike, with a merchant, its key, a campaign and clicks."""

    by_rest: Path
    by_file: Path
    account_id: str
    key: ApiKey
    clicks: Sequence[str]
    campaign: str

    @classmethod
    async def build(cls, database: Path) -> Stage:
        harness = await Harness.open(f"sqlite:///{database}")
        campaign = await harness.campaign()
        clicks = [await harness.click(campaign, before_ms=days * 86_400_000 + 1) for days in (0, 1, 5, 25, 40)]
        made = await issue_key(
            harness.store,
            load_sealer(settings_of(database)),
            harness.clock,
            merchant_id=harness.merchant_id,
            mode="test",
        )
        await harness.close()
        twin = database.with_name("twin.db")
        shutil.copyfile(database, twin)
        key = ApiKey(made.key_id, made.signing_secret, harness.merchant_id)
        return cls(database, twin, harness.account_id, key, clicks, campaign)


def settings_of(database: Path) -> Settings:
    return load_settings(None, {"HUB_DATABASE_URL": f"sqlite:///{database}", "HUB_MASTER_KEY": MASTER_KEY})


async def send_rows(stage: Stage, year: Year) -> dict[str, list[Any]]:
    """Every row over real sockets, signed; returns the answers in the order of the rows."""
    clock = FakeClock()
    answers: dict[str, list[Any]] = {}
    async with served(f"sqlite:///{stage.by_rest}", clock, **UNLIMITED) as hub:
        async with aiohttp.ClientSession(hub.url, connector=aiohttp.TCPConnector(limit=0)) as session:
            api = Api(session, stage.key, clock)
            reply = await api("POST", "/v1/products/upsert", orjson.dumps({"products": year.products}))
            answers["products"] = [reply.json]
            for kind, path in PATHS.items():
                answers[kind] = await send_in_waves(api, path, getattr(year, kind))
        await settled(hub)
    return answers


async def send_in_waves(api: Api, path: str, rows: Sequence[Row]) -> list[Any]:
    replies = []
    for start in range(0, len(rows), AT_ONCE):
        wave = (api("POST", path, orjson.dumps(row)) for row in rows[start : start + AT_ONCE])
        replies += await asyncio.gather(*wave)
    return [reply.json for reply in replies]


async def apply_rows(stage: Stage, year: Year, folder: Path) -> dict[str, list[Row]]:
    """Every file as the command applies it, then a server that decides; returns the verdicts."""
    verdicts = {}
    for kind, path in year.write(folder).items():
        raw = path.read_bytes()
        target = folder / f"{kind}.verdicts.csv"
        job = FileJob(stage.account_id, kind, path, target, len(raw), sha256(raw).hexdigest())
        taken = await apply_file(settings_of(stage.by_file), FakeClock(), job, Observer())
        assert taken.upload.status == "DONE"
        with target.open(encoding="utf-8", newline="") as file:
            verdicts[kind] = list(csv.DictReader(file))
    async with served(f"sqlite:///{stage.by_file}", FakeClock()) as hub:
        await settled(hub)
    return verdicts


async def settled(hub: Hub) -> None:
    """Waits until the worker has nothing left to do."""
    path = hub.parts.settings.database.path

    def is_done() -> bool:
        with closing(sqlite3.connect(path or "")) as connection:
            (waiting,) = connection.execute(WAITING).fetchone()
        return not waiting

    await until(is_done)


def told(answer: Any) -> tuple[str, str]:
    """What the verdict on a row must be, given the answer to the same row by REST."""
    if "eventId" not in answer:
        return "failed", "; ".join(answer["message"])
    return "duplicate" if answer["duplicate"] else "created", ""


async def both_doors(database: Path, folder: Path, orders: int) -> tuple[Stage, Year]:
    """Sends a year by REST into one database and by files into its twin; holds the answers against the verdicts."""
    stage = await Stage.build(database)
    year = Year.of(orders, stage.clicks, stage.campaign)
    answers = await send_rows(stage, year)
    verdicts = await apply_rows(stage, year, folder)
    for kind in PATHS:
        expected = [told(answer) for answer in answers[kind]]
        assert [(row["verdict"], row["message"]) for row in verdicts[kind]] == expected
        assert {word for word, _ in expected} == {"created", "failed"} | ({"duplicate"} if kind == "orders" else set())
    (summary,) = answers["products"]
    words = [row["verdict"] for row in verdicts["products"]]
    assert (words.count("created"), words.count("failed")) == (summary["created"], summary["failed"])
    return stage, year


@pytest.fixture
def database(migrated_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(migrated_file, tmp_path / "hub.db"))


async def test_a_year_by_rest_and_by_file_gives_one_ledger(database: Path, tmp_path: Path) -> None:
    """Products, orders and statuses, good, bad and repeated: the same verdicts, the same ledger."""
    stage, _ = await both_doors(database, tmp_path, 400)
    by_rest, by_file = ledger(stage.by_rest), ledger(stage.by_file)
    assert by_rest.splitlines() == by_file.splitlines()
    assert by_rest.count(b'"state": ') > 50


async def test_the_comparison_sees_a_difference(database: Path, tmp_path: Path) -> None:
    """The control: a minor unit too much in one commission, or one fact less, is another ledger."""
    stage, _ = await both_doors(database, tmp_path, 100)
    before = ledger(stage.by_file)
    for statement in (
        "UPDATE commissions SET amount_minor = amount_minor + 1 WHERE rowid = 1",
        "DELETE FROM order_facts WHERE fact_key = (SELECT MIN(fact_key) FROM order_facts)",
    ):
        connection = sqlite3.connect(stage.by_file)
        assert connection.execute(statement).rowcount
        connection.commit()
        connection.close()
        assert ledger(stage.by_file) != before
        before = ledger(stage.by_file)
    assert ledger(stage.by_rest) != before


@pytest.mark.prove
async def test_many_orders_give_one_ledger(database: Path, tmp_path: Path) -> None:
    """The promise as it is made: 100,000 orders by either door end in the same bytes; fewer where time is short."""
    stage, year = await both_doors(database, tmp_path, min(100_000, max(2_000, PROVE_SECONDS * 170)))
    by_rest, by_file = ledger(stage.by_rest), ledger(stage.by_file)
    print(f"{len(year.orders):,} orders, {len(year.statuses):,} statuses, {len(by_rest):,} bytes of ledger")
    assert sha256(by_rest).hexdigest() == sha256(by_file).hexdigest()
