"""What is mutated (the pure rules of eight subjects), and the tests that may notice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent

SUBJECTS: Final[Mapping[str, tuple[str, ...]]] = {
    "signing": ("hub/domain/signing", "hub/domain/connectors/timestamp_hmac", "hub/domain/messages/webhook_signing"),
    "idempotency": ("hub/intake/rules",),
    "lifecycle": ("hub/domain/orders/lifecycle", "hub/domain/orders/refunds", "hub/domain/orders/undone"),
    "commission": ("hub/domain/orders/commission", "hub/domain/orders/rate_versions"),
    "money": ("hub/domain/money",),
    "ledger": ("hub/domain/books/ledger", "hub/domain/books/journal"),
    "payouts": ("hub/domain/payouts/payouts", "hub/domain/payouts/payout_batches", "hub/domain/books/deposits"),
    "authority": ("hub/acts/authority", "hub/domain/orders/introductions"),
}
"""Modules as paths without `.py`."""

TESTS: Final = (
    "tests/domain",
    "tests/ledger/test_rules.py",
    "tests/intake/test_rules.py",
    "tests/acts/test_authority.py",
)
"""Files and folders; which of their tests reach which function is found out by running them once."""


def name_of(module: str) -> str:
    """Return the dotted name of a module."""
    return module.replace("/", ".")


def path_of(module: str) -> Path:
    """Return the file of a module."""
    return ROOT / f"{module}.py"
