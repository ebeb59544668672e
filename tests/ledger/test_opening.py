"""A hub that took orders before it had a ledger: the migration opens the books for what is there."""

from __future__ import annotations

import shutil
from pathlib import Path

from hub.operations.money.ledger import chain_ends, entry_pages, verify_ledger
from hub.storage import Store
from hub.storage.migrations.files import migration_folder
from tests.storage.test_unreleased import run_script

BEFORE = 12
ROWS = """
INSERT INTO merchants (merchant_id, name, email, domains, currency, status, created_at, updated_at)
VALUES ('m', 'n', 'e', '[]', 'USD', 'APPROVED', 0, 0);
INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('a', 'm', 'test'), ('b', 'm', 'live');
"""
CONVERSION = """
INSERT INTO conversions (account_id, conversion_id, event_id, external_order_id, order_minor, paid_minor, currency,
                         lines, ordered_at, received_at, confidence, reason, affiliate_id, created_at)
VALUES ('{a}', 'cnv_{n}', 'evt', 'Ö|{n} é', 1, 1, 'USD', '[]', 1, 1, 'HIGH', 'matched', 'aff', 1);
INSERT INTO commissions VALUES ('{a}', 'com_{n}', 'cnv_{n}', 'aff', '{state}', {amount}, 1, 'USD', 'PLATFORM', '{{}}',
                                0, NULL, {paid}, NULL, 1, 1700000000000);
"""
HEAD = "62acecb382023290e1e1004656920fe67da22e4087bff1bb8707fa621d4bfcf5"
STATES = ["PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED"]


async def test_the_books_are_opened_for_every_commission(empty_url: str, tmp_path: Path) -> None:
    """Each has one entry, in the place of its state; the chains hold, on both databases the same."""
    old = tmp_path / "old"
    old.mkdir()
    for file in migration_folder().glob("*.sql"):
        if int(file.name[:4]) <= BEFORE:
            shutil.copy(file, old)
    async with await Store.open(empty_url, migrate=True, migrations=old):
        pass
    rows = [
        CONVERSION.format(a="ab"[n % 2], n=n, state=state, amount=n * 7, paid="1" if state == "PAID" else "NULL")
        for n, state in enumerate(STATES * 4)
    ]
    await run_script(empty_url, ROWS + "".join(rows))
    async with await Store.open(empty_url, migrate=True) as store:
        found = await verify_ledger(store)
        assert found["faults"] == []
        assert found["entries"] == 4 * 5 - 1  # one commission is of nothing
        ends = await chain_ends(store)
        places = {entry.credit for end in ends async for page in entry_pages(store, end.head) for entry in page}
        assert places == {"pending", "held", "payable", "bank"}
        assert found["head"] == HEAD
