"""A file that is not what it should be is given up, and what it holds does not occupy the hub."""

from __future__ import annotations

from typing import Any

import pytest

from hub.csv_import import job_store
from hub.csv_import.job_run import LEASE_MS, MOST_FAILED_IN_A_ROW
from hub.csv_import.row_batches import RowBatches
from hub.testing.clock import FakeClock
from tests.csv_import.conftest import Files
from tests.csv_import.test_run import ORDERS, PRODUCTS

BAD = ["", "1.00", "", ""]
OPEN_QUOTE = b"externalOrderId,orderAmount\n" + b'"\n' + b"a\n" * 30_000
"""Each line is a row that fails: a stranger to the format could make a million of them from two megabytes."""


def good(number: int) -> list[str]:
    return [f"G-{number}", "1.00", "", ""]


async def test_too_many_bad_rows_in_a_row_end_a_file(files: Files) -> None:
    path = files.write([ORDERS[0], good(1), *[BAD] * 20, good(2)])
    upload = await files.run_of(await files.leased("orders", path), path, most_in_a_row=6).run()
    assert (upload.status, upload.rows, upload.created, upload.failed) == ("REFUSED", 9, 1, 8)
    assert upload.faults[0].startswith("6 rows failed one after the other, so the rest of the file was not read.")
    *rows, last = files.verdicts(path)
    assert len(rows) == upload.rows
    assert (last["row"], last["verdict"], last["message"]) == ("", "stopped", upload.faults[0])
    assert files.verdict_path(path).stat().st_size == upload.verdict_bytes


async def test_a_good_row_between_begins_the_count_again(files: Files) -> None:
    """The control: as many bad rows, but never too many in a row."""
    path = files.write([ORDERS[0], *[row for number in range(6) for row in (good(number), *[BAD] * 5)]])
    upload = await files.run_of(await files.leased("orders", path), path, most_in_a_row=6).run()
    assert (upload.status, upload.rows, upload.failed) == ("DONE", 36, 30)
    assert "stopped" not in files.words(path)


async def test_the_first_pass_of_a_product_file_ends_there_too(files: Files) -> None:
    """The rows after that are not read, so a product that is given again there does not count."""
    bad = ["P-9", "", "x", "1", "", ""]
    path = files.write([*PRODUCTS, *[bad] * 9, ["P-1", "Late shoe", *PRODUCTS[1][2:]]])
    upload = await files.run_of(await files.leased("products", path), path, most_in_a_row=6).run()
    assert upload.status == "REFUSED"
    assert files.words(path)[:2] == ["created", "created"]
    complete = await files.run_of(await files.leased("products", path), path).run()  # the control
    assert complete.status == "DONE"
    assert files.words(path)[0] == "failed"


@pytest.mark.parametrize(("most", "status"), [(MOST_FAILED_IN_A_ROW, "REFUSED"), (10**9, "DONE")])
async def test_a_quote_that_is_never_closed_costs_ten_thousand_rows(files: Files, most: int, status: str) -> None:
    """The control is the same file without the rule: every line becomes a failed row."""
    path = files.folder / "open.csv"
    path.write_bytes(OPEN_QUOTE)
    run = files.run_of(await files.leased("orders", path), path, most_in_a_row=most, batch_rows=500)
    upload = await run.run()
    assert upload.status == status
    assert upload.failed == (10_000 if status == "REFUSED" else 30_001)


async def test_the_count_goes_on_with_the_file_after_a_stop(files: Files) -> None:
    """A resumed run counts afresh, and ends all the same."""
    path = files.write([ORDERS[0], *[BAD] * 30])
    upload = await files.leased("orders", path)
    running: Any = None
    running = files.run_of(upload, path, most_in_a_row=9, on_progress=lambda _: running.stop())
    stopped = await running.run()
    assert (stopped.status, stopped.rows) == ("RUNNING", 3)
    ended = await files.run_of(stopped, path, most_in_a_row=9).run()
    assert (ended.status, ended.rows) == ("REFUSED", 12)


async def test_a_long_first_pass_keeps_its_lease(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else another node would begin the same file again and again."""
    header, shoe, sock = PRODUCTS
    path = files.write([header, shoe, *[[f"Q-{n}", *sock[1:]] for n in range(30)]])
    upload = await files.leased("products", path)
    clock = files.harness.clock
    assert isinstance(clock, FakeClock)
    run = files.run_of(upload, path)
    original = RowBatches.next

    left = 10

    async def slow(batches: RowBatches) -> Any:
        nonlocal left
        left -= 1
        if left < 0:  # the first pass is over
            return await original(batches)
        clock.advance(LEASE_MS // 2)
        assert not await job_store.lease(files.harness.store, upload, "another", clock(), LEASE_MS)
        return await original(batches)

    monkeypatch.setattr(RowBatches, "next", slow)
    assert (await run.run()).status == "DONE"
