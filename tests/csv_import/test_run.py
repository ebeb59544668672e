"""Whole files through the rules of the API: the verdict of each row, and runs that are left and resumed anywhere."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from hub.csv_import import job_store
from hub.csv_import.job_run import LEASE_MS, UploadRun
from hub.csv_import.job_store import LeaseLost
from hub.intake.rules import IntakeState
from hub.intake.write_batch import load_state
from hub.storage import Tx
from tests.csv_import.conftest import Files

ORDERS = [
    ["externalOrderId", "orderAmount", "orderStatus", "metadata"],
    ["A-1", "10.00", "confirmed", ""],
    ["A-2", "20.00", "confirmed", '{"channel": "web"}'],
    ["A-3", "1.001", "confirmed", ""],
    ["A-1", "99.00", "confirmed", ""],
    ["A-4", "40.00", "", ""],
]
PRODUCTS = [
    ["externalProductId", "name", "productUrl", "price", "discountPrice", "brand"],
    ["P-1", "Shoe", "https://shop.example/p/1", "49.90", "39.90", "Strider"],
    ["P-2", "Sock", "https://shop.example/p/2", "5.00", "", ""],
]


async def test_each_row_of_orders_has_a_verdict_of_its_own(files: Files) -> None:
    path = files.write(ORDERS)
    upload = await files.apply("orders", path)
    assert (upload.status, upload.rows, upload.created, upload.duplicate, upload.failed) == ("DONE", 5, 3, 1, 1)
    verdicts = files.verdicts(path)
    assert [v["verdict"] for v in verdicts] == ["created", "created", "failed", "duplicate", "created"]
    assert [v["line"] for v in verdicts] == ["2", "3", "4", "5", "6"]
    assert verdicts[2]["column"] == "orderAmount"
    assert "USD has at most 2" in verdicts[2]["message"] or "decimal" in verdicts[2]["message"]
    assert verdicts[3]["eventId"] == verdicts[0]["eventId"]


async def test_orders_of_a_file_become_conversions_with_their_metadata(files: Files) -> None:
    await files.apply("orders", files.write(ORDERS))
    await files.harness.work()
    order = await files.harness.conversion("A-2")
    assert order is not None
    assert (order["order_minor"], order["metadata"]) == (2000, '{"channel":"web"}')


async def test_the_same_file_again_changes_nothing(files: Files) -> None:
    path = files.write(ORDERS)
    await files.apply("orders", path)
    again = await files.apply("orders", path)
    assert (again.created, again.duplicate, again.failed) == (0, 4, 1)
    assert len(await files.harness.rows("event_rows")) == 3


async def test_statuses_move_the_commission_and_count_once(files: Files) -> None:
    campaign = await files.harness.campaign()
    click = await files.harness.click(campaign)
    await files.apply("orders", files.write([["externalOrderId", "orderAmount", "clickId"], ["B-1", "100.00", click]]))
    path = files.write([["status", "externalOrderId"], ["confirmed", "B-1"], ["cancelled", "B-1"], ["cancelled", "B-1"],
                        ["lost", "B-1"]], "statuses.csv")  # fmt: skip
    upload = await files.apply("statuses", path)
    await files.harness.work()
    assert files.words(path) == ["created", "created", "duplicate", "failed"]
    assert upload.ended
    commission = await files.harness.commission("B-1")
    assert commission is not None
    assert commission["state"] == "REJECTED"


async def test_a_status_with_a_wrong_click_does_not_swallow_the_row_that_corrects_it(files: Files) -> None:
    """The same status of the same second counts once the click is right; the control is its repetition."""
    click, moment = await files.harness.click(await files.harness.campaign()), "2026-11-20T12:00:00Z"
    await files.apply("orders", files.write([["externalOrderId", "orderAmount", "clickId"], ["B-1", "100.00", click]]))
    await files.harness.work()
    header = ["status", "externalOrderId", "occurredAt", "clickId"]
    rows = [["cancelled", "B-1", moment, each] for each in ("clk_" + "0" * 32, click, click)]
    path = files.write([header, *rows], "statuses.csv")
    await files.apply("statuses", path)
    await files.harness.work()
    assert files.words(path) == ["created", "created", "duplicate"]
    commission = await files.harness.commission("B-1")
    assert commission is not None
    assert commission["state"] == "REJECTED"


async def test_products_are_upserted_and_an_empty_cell_clears(files: Files) -> None:
    await files.apply("products", files.write(PRODUCTS))
    changed = files.write([["externalProductId", "name", "productUrl", "price", "discountPrice"],
                           ["P-1", "Shoe", "https://shop.example/p/1", "49.90", ""],
                           ["P-2", "Sock", "https://shop.example/p/2", "5.00", ""]], "changed.csv")  # fmt: skip
    upload = await files.apply("products", changed)
    assert files.words(changed) == ["updated", "duplicate"]
    assert (upload.updated, upload.duplicate) == (1, 1)
    (shoe,) = [row for row in await products(files) if row["external_product_id"] == "P-1"]
    assert (shoe["discount_minor"], shoe["brand"]) == (None, "Strider"), "the column brand was not in the file"


async def test_half_of_a_commission_cannot_be_cleared(files: Files) -> None:
    header = ["externalProductId", "name", "productUrl", "price"]
    shoe = ["P-1", "Shoe", "https://shop.example/p/1", "49.90"]
    await files.apply(
        "products", files.write([[*header, "commissionType", "commissionValue"], [*shoe, "FIXED", "2.00"]])
    )
    half = files.write([[*header, "commissionType"], [*shoe, ""]], "half.csv")
    await files.apply("products", half)
    assert files.verdicts(half)[0]["message"] == "`commissionType` must be cleared together with commissionValue"


async def test_of_a_product_given_twice_the_last_good_row_wins_however_far_apart(files: Files) -> None:
    header, shoe, sock = PRODUCTS
    path = files.write([header, shoe, *[[f"Q-{n}", *sock[1:]] for n in range(10)],
                        [shoe[0], "Better shoe", *shoe[2:]], [shoe[0], "Bad", "nowhere", "1.00", "", ""]])  # fmt: skip
    await files.apply("products", path)
    verdicts = files.verdicts(path)
    assert verdicts[0]["verdict"] == "failed"
    assert verdicts[0]["message"] == "`externalProductId` is given again in row 12, which takes its place"
    assert [v["verdict"] for v in verdicts[11:]] == ["created", "failed"]
    assert "Better shoe" in [row["name"] for row in await products(files)]


@pytest.mark.parametrize("kind", ["orders", "products"])
async def test_a_dry_run_says_what_applying_would_and_writes_nothing(files: Files, kind: str) -> None:
    path = files.write(ORDERS if kind == "orders" else [*PRODUCTS, PRODUCTS[1], ["P-9", "", "x", "1", "", ""]])
    checked = await files.check(kind, path)
    predicted = [(v["verdict"], v["message"]) for v in files.verdicts(path)]
    assert await files.harness.rows("event_rows") == []
    assert await products(files) == []
    applied = await files.apply(kind, path)
    assert [(v["verdict"], v["message"]) for v in files.verdicts(path)] == predicted
    assert (checked.rows, checked.created, checked.failed) == (applied.rows, applied.created, applied.failed)
    again = await files.check(kind, path)
    assert again.created == 0


async def test_a_dry_run_under_a_lease_stores_its_progress_and_nothing_else(files: Files) -> None:
    path = files.write(ORDERS)
    upload = await files.run_of(await files.leased("orders", path, dry_run=True), path).run()
    assert (upload.status, upload.created, upload.duplicate) == ("DONE", 3, 1)
    assert await files.harness.rows("event_rows") == []


async def test_a_run_that_is_stopped_is_resumed_after_its_last_row(files: Files) -> None:
    path = files.write([ORDERS[0], *[[f"C-{n}", "1.00", "", ""] for n in range(30)]])
    upload = await files.leased("orders", path)
    running: UploadRun
    running = files.run_of(upload, path, on_progress=lambda so_far: running.stop() if so_far.rows >= 9 else None)
    stopped = await running.run()
    assert (stopped.status, stopped.rows) == ("RUNNING", 9)
    left = await job_store.find(files.harness.store, upload.account_id, upload.upload_id)
    assert left is not None
    assert (left.rows, left.position) == (9, stopped.position)
    with files.verdict_path(path).open("ab") as torn:  # what a killed process wrote and never committed
        torn.write(b"10,11,C-9,created,,,evt_torn\n10,")
    done = await files.run_of(left, path).run()
    assert (done.status, done.rows, done.created) == ("DONE", 30, 30)
    assert [v["row"] for v in files.verdicts(path)] == [str(n) for n in range(1, 31)]
    assert files.words(path) == ["created"] * 30


async def test_a_run_whose_verdicts_were_lost_starts_over_and_doubles_nothing(files: Files) -> None:
    path = files.write([ORDERS[0], *[[f"D-{n}", "1.00", "", ""] for n in range(9)]])
    upload = await files.leased("orders", path)
    running: UploadRun
    running = files.run_of(upload, path, on_progress=lambda _: running.stop())
    stopped = await running.run()
    files.verdict_path(path).write_bytes(b"")
    done = await files.run_of(stopped, path).run()
    assert files.words(path) == ["duplicate"] * 3 + ["created"] * 6
    assert done.rows == 9
    assert len(await files.harness.rows("event_rows")) == 9


async def test_an_upload_has_one_owner_and_a_run_that_lost_the_lease_commits_nothing(files: Files) -> None:
    path = files.write(ORDERS)
    upload = await files.leased("orders", path)
    store, now = files.harness.store, files.harness.clock()
    assert not await job_store.lease(store, upload, "another", now, LEASE_MS)
    assert await job_store.lease(store, upload, "another", now + LEASE_MS, LEASE_MS), "the lease has run out"
    with pytest.raises(LeaseLost):
        await files.run_of(upload, path).run()
    assert await files.harness.rows("event_rows") == []


async def test_a_file_that_changed_since_its_upload_was_stored_is_refused(files: Files) -> None:
    path = files.write(ORDERS)
    upload = await files.leased("orders", path)
    path.write_text(path.read_text("utf-8").replace("10.00", "90.00"), "utf-8")
    refused = await files.run_of(upload, path).run()
    assert (refused.status, refused.rows) == ("REFUSED", 0)
    assert refused.faults == ("The file is not the one that was entered: its bytes have changed.",)


async def test_a_file_without_its_columns_is_refused_before_the_first_row(files: Files) -> None:
    path = files.write([["externalOrderId", "orderAmout"], ["A-1", "1.00"]])
    refused = await files.run_of(await files.leased("orders", path), path).run()
    assert refused.status == "REFUSED"
    assert "orderAmount" in refused.faults[0]
    found = await job_store.find(files.harness.store, refused.account_id, refused.upload_id)
    assert found is not None
    assert (found.status, found.faults) == ("REFUSED", refused.faults)


async def test_a_header_alone_is_a_file_without_rows(files: Files) -> None:
    path = files.write(ORDERS[:1])
    done = await files.apply("orders", path, pause=asyncio.sleep)
    assert (done.status, done.rows) == ("DONE", 0)
    assert files.verdict_path(path).read_text("utf-8") == "row,line,id,verdict,column,message,eventId\n"


async def test_a_row_that_the_database_refuses_fails_alone(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    async def poisoned(tx: Tx, items: Any, cutoff: int) -> Any:
        if any(item.external_order_id == "A-2" for item in items):
            raise ValueError("a fault nobody thought of")
        return await load_state(tx, items, cutoff)

    monkeypatch.setattr("hub.intake.write_batch.load_state", poisoned)
    path = files.write(ORDERS)
    upload = await files.apply("orders", path)
    assert files.words(path) == ["created", "failed", "failed", "duplicate", "created"]
    assert files.verdicts(path)[1]["message"] == "The hub could not store this row; its log says why"
    assert upload.status == "DONE"


async def test_rows_that_another_node_takes_at_the_same_moment_do_not_fail(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look-up saw none of them, the insert meets them: it is looked up again, and nothing is said of a fault."""
    behind = [True]

    async def late(tx: Tx, items: Any, cutoff: int) -> Any:
        return IntakeState() if behind and behind.pop() else await load_state(tx, items, cutoff)

    await files.apply("orders", files.write(ORDERS))
    monkeypatch.setattr("hub.intake.write_batch.load_state", late)
    path = files.write([*ORDERS, ["A-9", "1.00", "", ""]])
    with capture_logs() as said:
        upload = await files.apply("orders", path)
    assert (upload.created, upload.failed, said) == (1, 1, [])


async def test_rows_of_empty_cells_are_skipped_wherever_they_are(files: Files) -> None:
    empty = ["", "", "", ""]
    path = files.write([ORDERS[0], *[empty] * 8, ["F-1", "1.00", "", ""], *[empty] * 8, ["F-2", "1.00", "", ""], empty])
    upload = await files.apply("orders", path)
    assert (upload.rows, upload.created) == (2, 2)
    assert [(v["row"], v["line"]) for v in files.verdicts(path)] == [("1", "10"), ("2", "19")]


async def test_a_file_of_nothing_but_bad_rows_is_given_up(files: Files) -> None:
    path = files.write([ORDERS[0], *[["", "1.00", "", ""]] * 20])
    upload = await files.run_of(await files.leased("orders", path), path, most_failed=5).run()
    assert (upload.status, upload.failed) == ("REFUSED", 6)
    assert "so the rest of the file was not read" in upload.faults[0]
    assert len(files.words(path)) == 6


async def test_cells_that_a_spreadsheet_would_run_come_back_as_text(files: Files) -> None:
    path = files.write([ORDERS[0], ["=1+1", "1.00", "", ""], ["@cmd", "x", "", ""]])
    await files.apply("orders", path)
    assert [v["id"] for v in files.verdicts(path)] == ["'=1+1", "'@cmd"]


async def test_metadata_must_be_a_json_object(files: Files) -> None:
    path = files.write(
        [ORDERS[0], ["E-1", "1.00", "", "{broken"], ["E-2", "1.00", "", "[1]"], ["E-3", "1.00", "", "{}"]]
    )
    await files.apply("orders", path)
    verdicts = files.verdicts(path)
    assert [v["verdict"] for v in verdicts] == ["failed", "failed", "created"]
    assert [v["column"] for v in verdicts] == ["metadata", "metadata", ""]


async def products(files: Files) -> list[dict[str, Any]]:
    async with files.harness.store.read() as tx:
        keys = [(files.harness.account_id, key) for key in ("P-1", "P-2", "P-9")]
        return [dict(row) for row in await tx.all("load_products", products=keys)]


async def test_only_a_dry_run_goes_without_an_owner(files: Files) -> None:
    path = files.write(ORDERS)
    upload = await files.leased("orders", path)
    with pytest.raises(ValueError, match="owner"):
        UploadRun(files.harness.store, files.harness.clock, upload, path, path, owner=None)
