"""The runner applies uploads through restarts, outages and faults, each on the node that has the file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hub.app import Hub
from hub.csv_import import runner
from hub.csv_import.job_run import UploadRun
from hub.csv_import.runner import BATCH_ROWS
from hub.storage import StoreUnavailable
from hub.testing.clock import FakeClock
from tests.csv_import.test_upload_endpoints import ORDERS, STATUSES, counts, ended, many_orders, send, verdicts
from tests.merchant_api.test_replay import events_of
from tests.polling import until
from tests.served_hub import Api, api_of, new_key, new_merchant, served


async def test_the_verdicts_of_committed_rows_are_served_while_it_runs(
    api: Api, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the file holds beyond them is not served."""
    gate = asyncio.Event()
    apply_batch = UploadRun._apply_batch

    async def held(run: UploadRun, *parts: Any) -> Any:
        if run._upload.rows:
            await gate.wait()
        return await apply_batch(run, *parts)

    monkeypatch.setattr(UploadRun, "_apply_batch", held)
    reply = await send(api, "orders", many_orders(1_200))
    upload = await begun(api, reply.json["uploadId"])
    assert (upload["status"], upload["finishedAt"]) == ("RUNNING", None)
    with hub.parts.services.spool.verdicts(upload["uploadId"]).open("ab") as file:
        file.write(b"not committed")
    assert len(await verdicts(api, upload["uploadId"])) == upload["rows"] == BATCH_ROWS
    gate.set()
    assert counts(await ended(api, reply)) == (1_200, 1_200, 0, 0, 0)
    assert len(await verdicts(api, upload["uploadId"])) == 1_200


async def begun(api: Api, upload_id: str) -> dict[str, Any]:
    async def found() -> dict[str, Any] | None:
        upload: dict[str, Any] = (await api("GET", f"/v1/uploads/{upload_id}")).json
        return upload if upload["rows"] else None

    return await until(found, pause=0.01)


async def test_an_upload_goes_on_after_a_restart(database_url: str, tmp_path: Path, clock: FakeClock) -> None:
    """Within the file, at once, and with every row decided exactly once."""
    place = {"HUB_UPLOADS_DIRECTORY": str(tmp_path / "files")}
    async with served(database_url, clock, **place) as hub, api_of(hub, clock) as api:
        reply = await send(api, "orders", many_orders(8_000))
        before = await begun(api, reply.json["uploadId"])
        key = api.key
    assert before["rows"] < 8_000
    async with served(database_url, clock, **place) as hub, api_of(hub, clock) as other:
        upload = await ended(other.with_key(key), reply)
        assert counts(upload) == (8_000, 8_000, 0, 0, 0)
        lines = await verdicts(other.with_key(key), upload["uploadId"])
        assert [line["row"] for line in lines] == [str(n + 1) for n in range(8_000)]
        assert await events_of(hub, other.with_key(key)) == 8_000


async def test_an_upload_goes_on_after_an_outage(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[type[Exception]] = [StoreUnavailable]
    apply_batch = UploadRun._apply_batch

    async def stumble(run: UploadRun, *parts: Any) -> Any:
        if faults and run._upload.rows:
            raise faults.pop()("gone")
        return await apply_batch(run, *parts)

    monkeypatch.setattr(runner, "OUTAGE_SECONDS", 0.05)
    monkeypatch.setattr(UploadRun, "_apply_batch", stumble)
    assert counts(await ended(api, await send(api, "orders", many_orders(1_200)))) == (1_200, 1_200, 0, 0, 0)


async def test_an_upload_that_fails_does_not_block_the_others(
    api: Api, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upload is tried again in a minute."""
    faults: list[type[Exception]] = [RuntimeError]
    apply_batch = UploadRun._apply_batch

    async def stumble(run: UploadRun, *parts: Any) -> Any:
        if faults:
            raise faults.pop()("a slip")
        return await apply_batch(run, *parts)

    monkeypatch.setattr(UploadRun, "_apply_batch", stumble)
    first, second = await send(api, "orders", ORDERS), await send(api, "statuses", STATUSES)
    assert (await ended(api, second))["status"] == "DONE"
    assert (await api("GET", f"/v1/uploads/{first.json['uploadId']}")).json["status"] == "RUNNING"
    clock.advance(60_000)
    assert (await ended(api, first))["status"] == "DONE"


async def test_an_upload_whose_file_is_gone_is_refused(api: Api, hub: Hub) -> None:
    await hub.parts.services.uploads.stop()
    reply = await send(api, "orders", ORDERS)
    hub.parts.services.spool.remove(reply.json["uploadId"])
    await hub.parts.services.uploads.start()
    upload = await ended(api, reply)
    assert upload["status"] == "REFUSED"
    assert "Send it again" in upload["faults"][0]


async def test_a_node_leaves_an_upload_to_the_node_that_has_its_file(
    postgres_url: str, tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It refuses the upload if that node stays away."""
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    async with served(postgres_url, clock) as here, served(postgres_url, clock), api_of(here, clock) as api:
        await here.parts.services.uploads.stop()
        first = await send(api, "orders", ORDERS)
        await asyncio.sleep(0.2)
        await here.parts.services.uploads.start()
        assert (await moving(clock, ended(api, first)))["status"] == "DONE"
        await here.parts.services.uploads.stop()
        second = await send(api, "orders", ORDERS)
        clock.advance(runner.LOST_MS)
        assert (await moving(clock, ended(api, second)))["status"] == "REFUSED"


async def moving(clock: FakeClock, waiting: Any) -> dict[str, Any]:
    """Return the result of a wait while time passes."""
    task: asyncio.Task[dict[str, Any]] = asyncio.ensure_future(waiting)
    while not task.done():
        await asyncio.sleep(0.05)
        clock.advance(500)
    return await task


@pytest.mark.parametrize("most_runs", [runner.MOST_RUNS, pytest.param(1, marks=pytest.mark.prove)])
async def test_a_small_file_does_not_wait_for_another_accounts_large_one(
    either_hub: Hub, either_api: Api, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, most_runs: int
) -> None:
    """The control is one place for all: the small file begins once the large one has ended."""
    monkeypatch.setattr(runner, "MOST_RUNS", most_runs)
    neighbour = either_api.with_key(await new_key(either_hub, clock, await new_merchant(either_hub, clock)))
    large = await send(either_api, "orders", many_orders(8_000))
    assert (await begun(either_api, large.json["uploadId"]))["status"] == "RUNNING"
    small = await ended(neighbour, await send(neighbour, "orders", ORDERS))
    assert small["status"] == "DONE"
    meanwhile = (await either_api("GET", f"/v1/uploads/{large.json['uploadId']}")).json
    assert (meanwhile["status"] == "RUNNING") == (most_runs > 1)
    assert counts(await ended(either_api, large)) == (8_000, 8_000, 0, 0, 0)


async def test_an_account_has_one_file_under_way(api: Api) -> None:
    """Its files are applied in the order in which they came: statuses need the orders before them."""
    first = await send(api, "orders", many_orders(2_000))
    second = await send(api, "statuses", STATUSES)
    assert (await begun(api, first.json["uploadId"]))["status"] == "RUNNING"
    assert (await api("GET", f"/v1/uploads/{second.json['uploadId']}")).json["status"] == "QUEUED"
    before = await ended(api, first)
    assert before["finishedAt"] <= (await ended(api, second))["startedAt"]
