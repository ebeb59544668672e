"""Lists that begin with the newest say that there are older ones, and list them."""

from __future__ import annotations

import asyncio
import re

import pytest

from hub.ids import new_id
from hub.observability.request_log import LogRow
from tests.cli.conftest import Office, Operator

ORDERS = 5


async def refused_requests(office: Office) -> None:
    """Log requests of a merchant and of strangers, two of them in the same millisecond."""
    harness = office.harness
    rows = [
        LogRow(account, harness.clock() + number // 2, new_id("log"), f"r-{number}", "POST", "/api/v1/conversions", 401,
               "bad_signature", None, "", 1, None)
        for number in range(ORDERS)
        for account in (harness.account_id, "")
    ]  # fmt: skip
    async with harness.store.write() as tx:
        await tx.run("insert_request_log", rows=rows)


@pytest.mark.parametrize("whose", ["merchant", "merchant's errors", "strangers"])
async def test_the_log_is_read_page_by_page(office: Office, whose: str) -> None:
    await refused_requests(office)
    merchant = ("--merchant", office.harness.merchant_id)
    arguments = {"merchant": merchant, "merchant's errors": (*merchant, "--errors"), "strangers": ("--strangers",)}
    found, before = [], list[str]()
    for _ in range(ORDERS):
        page = await office.do("log", *arguments[whose], "--limit", "2", *before)
        if not page:
            break
        found += [each["requestId"] for each in page]
        before = ["--before", page[-1]["id"]]
    assert found == [f"r-{number}" for number in reversed(range(ORDERS))]


async def test_the_log_says_that_there_are_older_ones(office: Office) -> None:
    await refused_requests(office)
    arguments = ("log", "--merchant", office.harness.merchant_id)

    async def read(*more: str) -> str:
        return (await asyncio.to_thread(office.operator.run, *arguments, *more)).stdout

    cut = await read("--limit", str(ORDERS - 1))
    (before,) = re.findall(r"There are older ones: (--before \S+), or more at once: --limit N\n", cut)
    older = await read(*before.split())
    assert "r-0" in older
    assert "r-1" not in older
    assert "older ones" not in older
    assert "older ones" not in await read("--limit", str(ORDERS))


def test_the_trail_says_that_there_are_older_ones(operator: Operator) -> None:
    first = operator.merchant()
    operator.do("merchant", "approve", first)
    cut = operator.run("trail", "--limit", "1").stdout
    (before,) = re.findall(r"There are older ones: (--before \S+), or more at once: --limit N\n", cut)
    older = operator.run("trail", *before.split()).stdout
    assert "merchant.created" in older
    assert "merchant.approved" not in older
    assert "older ones" not in older
    assert len(operator.do("trail", "--limit", "1")) == 1


def test_a_cursor_of_something_else_is_refused(operator: Operator) -> None:
    assert "not the id of a request" in operator.refused("log", "--strangers", "--before", "yesterday")
