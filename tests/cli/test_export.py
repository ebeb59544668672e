"""`hub csv export`: what an account holds, as CSV that a spreadsheet opens without harm and the hub takes in again."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from hub.csv_import.kinds import KINDS
from hub.observability.request_log import LogRow
from hub.operations.files import exports
from hub.operations.files.exports import EXPORTS, export
from tests.cli.conftest import Office, Operator
from tests.processing.harness import Harness

NOTE = {"note": 'a,"b"\n'}


async def exported(office: Office, kind: str, out: Path) -> list[dict[str, str]]:
    """The rows of an export as the command writes it."""
    where = ["--merchant", office.harness.merchant_id, "--mode", "test", "--out", str(out)]
    document = await office.do("csv", "export", kind, *where)
    rows = rows_of(out)
    assert document == {"kind": kind, "rows": len(rows), "file": str(out)}
    return rows


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


async def apply(office: Office, kind: str, path: Path, merchant: str) -> Any:
    words = ["csv", "apply", kind, str(path), "--merchant", merchant, "--mode", "test"]
    return await office.do(*words)


class TestRows:
    async def test_conversions_are_an_orders_file(self, office: Office, tmp_path: Path) -> None:
        """Another merchant takes them as they are, and its export says the same of each order."""
        campaign = await office.harness.campaign()
        click = await office.harness.click(campaign)
        await office.harness.order("1001", clickId=click, orderStatus="confirmed", couponCode="ADA10")
        await office.harness.order(
            "1002", "7.00", currency="EUR", externalProductId="SKU-1", metadata={"note": 'a,"b"\n'}
        )
        await office.harness.webhook(
            "order-created", "d-1", external_order_id="1003", order_amount="9.00",
            lines=[{"external_product_id": "SKU-1", "quantity": 2, "amount": "9.00"}],
        )  # fmt: skip
        await office.harness.work()
        out = tmp_path / "conversions.csv"
        rows = await exported(office, "conversions", out)
        columns = KINDS["orders"].columns
        assert tuple(rows[0])[: len(columns)] == columns
        assert [row["externalOrderId"] for row in rows] == ["1001", "1002", "1003"]
        assert (rows[0]["orderStatus"], rows[0]["orderAmount"], rows[0]["reason"]) == ("confirmed", "100.00", "matched")
        assert (rows[0]["affiliateId"], rows[0]["clickId"]) == (office.harness.affiliate_id, click)
        assert json.loads(rows[1]["metadata"]) == NOTE
        assert [row["externalProductId"] for row in rows] == ["", "SKU-1", ""]
        other = await office.do("merchant", "create", "--name", "B", "--email", "b@b.example", "--domain", "b.example")
        applied = await apply(office, "orders", out, other["id"])
        assert (applied["created"], applied["failed"]) == (3, 0)
        assert "confidence" in applied["ignoredColumns"]
        again = await apply(office, "orders", out, office.harness.merchant_id)
        assert again["duplicate"] == 3

    async def test_commissions_have_what_a_payout_needs(self, office: Office, tmp_path: Path) -> None:
        await office.harness.order("1001", clickId=await office.harness.click(await office.harness.campaign()))
        await office.harness.work()
        (row,) = await exported(office, "commissions", tmp_path / "out.csv")
        shown = (await office.show("1001"))["commission"]
        assert (row["id"], row["state"], row["amount"], row["currency"]) == (shown["id"], "PENDING", "10.00", "USD")
        assert (row["affiliateId"], row["affiliateName"]) == (office.harness.affiliate_id, "Ada")
        assert (row["affiliateEmail"], row["externalOrderId"]) == ("ada@blog.example", "1001")
        assert (row["base"], row["source"], row["type"], row["value"]) == ("100.00", "CAMPAIGN", "PERCENTAGE", "10")
        assert (row["paidAt"], row["payoutReference"]) == ("", "")

    async def test_products_come_back_unchanged(self, office: Office, tmp_path: Path) -> None:
        """The export of a catalogue is a products file that changes nothing of it."""
        path = tmp_path / "products.csv"
        path.write_text(
            "externalProductId,name,productUrl,price,currency,discountPrice,brand,commissionType,commissionValue\n"
            'A,Shoe,https://shop.example/a,10,JPY,,"two\nlines",FIXED,1.5\n'
            "B,Coat,https://shop.example/b,10.5,KWD,9.125,,,\n"
        )
        await apply(office, "products", path, office.harness.merchant_id)
        out = tmp_path / "out.csv"
        rows = await exported(office, "products", out)
        assert [(row["price"], row["discountPrice"], row["brand"]) for row in rows] == [
            ("10", "", "two\nlines"), ("10.500", "9.125", ""),
        ]  # fmt: skip
        assert {row["status"] for row in rows} == {"ACTIVE"}
        again = await apply(office, "products", out, office.harness.merchant_id)
        assert (again["duplicate"], again["updated"], again["failed"]) == (2, 0, 0)
        assert again["ignoredColumns"] == ["id", "status", "createdAt", "updatedAt"]

    async def test_the_request_log_has_a_row_for_each_request(self, office: Office, tmp_path: Path) -> None:
        async with office.harness.store.write() as tx:
            for number in range(3):
                await tx.run("insert_request_log", rows=[_entry(office.harness.account_id, number)])
        rows = await exported(office, "request-log", tmp_path / "log.csv")
        assert [row["requestId"] for row in rows] == ["r0", "r1", "r2"]
        assert rows[0] == {
            "time": "1970-01-01T00:00:05.000Z", "requestId": "r0", "method": "POST", "path": "'=cmd", "status": "401",
            "errorCode": "bad_signature", "keyId": "ak", "client": "127.0.0.1", "microseconds": "1234",
        }  # fmt: skip


class TestWhole:
    async def test_pages_of_any_size_join_without_a_gap(self, office: Office) -> None:
        """Each row is there once, in order."""
        for number in range(7):
            await office.harness.order(f"{number}")
        await office.harness.work()
        texts = []
        for size in (1, 3, 7, 1_000):
            pages = export(office.harness.store, "conversions", office.harness.merchant_id, "test", page_rows=size)
            texts.append("".join([page.text async for page in pages]))
        assert len(set(texts)) == 1
        assert [row["externalOrderId"] for row in csv.DictReader(io.StringIO(texts[0]))] == list("0123456")

    async def test_formulas_become_text(self, office: Office, tmp_path: Path) -> None:
        """A cell that a spreadsheet would run begins with an apostrophe; one that only contains such signs does not."""
        for number in ("=1+1", "+1", "-1", "@x", "\uff1d1", "a=1"):
            await office.harness.order(number)
        await office.harness.work()
        rows = await exported(office, "conversions", tmp_path / "out.csv")
        assert [row["externalOrderId"] for row in rows] == ["'=1+1", "'+1", "'-1", "'@x", "'\uff1d1", "a=1"]

    async def test_another_account_exports_nothing_of_it(self, office: Office, tmp_path: Path) -> None:
        await office.harness.order("1001")
        await office.harness.work()
        where = ["csv", "export", "conversions", "--mode", "live", "--merchant"]
        result = await asyncio.to_thread(office.operator.run, *where, office.harness.merchant_id)
        assert result.stdout_bytes.decode() == ",".join(EXPORTS["conversions"].columns) + "\r\n"
        assert "There is no merchant" in await office.refused(*where, "mer_x", "--out", str(tmp_path / "x"))
        with pytest.raises(FileNotFoundError):
            rows_of(tmp_path / "x")

    async def test_fifty_times_the_rows_need_no_more_memory(self, sqlite_url: str) -> None:
        """A page is dropped when the next is read; the moments repeat, because their texts are cached."""
        harness = await Harness.open(sqlite_url)
        peaks, size = [], 0
        for total in (200, 10_000):
            async with harness.store.write() as tx:
                numbered = [(number, _entry(harness.account_id, number % 200)) for number in range(total)]
                await tx.run("insert_request_log", rows=[e._replace(log_id=f"{total}-{n:06d}") for n, e in numbered])
            tracemalloc.start()
            size = 0
            async for page in export(harness.store, "request-log", harness.merchant_id, "test", page_rows=50):
                size += len(page.text)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert size > total * 50
        await harness.close()
        assert peaks[1] - peaks[0] < size / 2, "the pages that were read are kept"


class TestFiles:
    def test_standard_output_is_the_csv(self, operator: Operator) -> None:
        merchant = operator.merchant()
        where = ["csv", "export", "products", "--merchant", merchant, "--mode", "test"]
        header = next(csv.reader(io.StringIO(operator.run(*where).stdout)))
        assert header == list(EXPORTS["products"].columns)
        assert "--out" in operator.refused(*where, status=2)

    def test_a_file_gets_its_name_only_when_complete(
        self, operator: Operator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A file of this name stays as it was if the export fails."""
        merchant = operator.merchant()
        out = tmp_path / "out.csv"
        out.write_text("before")
        where = ["csv", "export", "products", "--merchant", merchant, "--mode", "test", "--out"]
        monkeypatch.setattr(exports, "_csv", _fail)
        assert "cannot be written: No space left on device" in operator.refused(*where, str(out))
        assert [path.read_text() for path in tmp_path.glob("out*")] == ["before"]
        monkeypatch.undo()
        assert operator.do(*where, str(out))["rows"] == 0
        assert out.read_text().startswith("externalProductId,")
        assert operator.do(*where, "/dev/null")["rows"] == 0
        assert Path("/dev/null").is_char_device()
        assert "cannot be written" in operator.refused(*where, str(tmp_path / "no" / "x.csv"))


def _fail(_: Any) -> str:
    raise OSError(28, "No space left on device")


def _entry(account_id: str, number: int) -> LogRow:
    """A line of the request log."""
    request = ("POST", "=cmd", 401, "bad_signature", "ak", "127.0.0.1", 1_234, None)
    return LogRow(account_id, 5_000 + number // 2, f"log_{number:06d}", f"r{number}", *request)
