"""The closed sets of words are written once: whoever adds a word is told by these tests what else it needs.

The controls give the type checker a copy of the hub with one more word, and a table with one row less.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from hub.domain import words
from hub.domain.books.ledger import Kind, Place
from hub.domain.messages.notifications import EVENT_TYPES
from hub.domain.money import MoneyError
from hub.domain.orders.attribution import Reason
from hub.domain.orders.awaited import Awaited
from hub.domain.orders.facts import FACTS_OF_KIND, ORDER_STATUSES
from hub.domain.orders.rule_kinds import RULE_TYPES, RuleType, kind_named, kind_of
from hub.domain.payouts.payout_formats import FORMATS

ROOT = Path(__file__).resolve().parent.parent
SETS: dict[frozenset[str], str] = {
    frozenset(get_args(value)): name for name, value in vars(words).items() if get_args(value) and name[1].islower()
} | {frozenset(RULE_TYPES): "RuleType"}
SHARED = {frozenset({"ACTIVE", "PAUSED"}), frozenset({"merchant", "affiliate"})}
"""Words that links and campaigns have too, beside others, and the names of filters of lists."""

QUOTED = re.compile(r"""(?<=["'])[^"'\s]+(?=["'])""")
"""Every word of a file that may be a text: most files have no set as a whole, and need not be parsed."""

TABLES: list[tuple[str, str, Iterable[str]]] = [
    ("hub.cli.doctor", "SHOWN", get_args(words.FindingState)),
    ("hub.agents.desk", "API_ROOTS", get_args(words.Side)),
    ("hub.cli.mcp", "API_ROOTS", get_args(words.Side)),
    ("hub.domain.scopes", "_RESOURCES", get_args(words.Side)),
    ("hub.domain.scopes", "BUNDLES", get_args(words.Side)),
    ("hub.domain.troubles", "KINDS", words.TROUBLE_KINDS),
    ("hub.csv_import.kinds", "KINDS", words.UPLOAD_KINDS),
    ("hub.csv_import.templates", "_ROWS", words.UPLOAD_KINDS),
    ("hub.domain.set_up", "PLATFORM_TITLES", words.SHOP_PLATFORMS),
    ("hub.merchant_api.openapi.texts", "_UPLOADS", words.UPLOAD_KINDS),
    ("hub.pages.merchant.uploads", "WORDS", words.UPLOAD_KINDS),
    ("hub.pages.operator.people", "SOURCES", get_args(words.Channel)),
    ("hub.pages.merchant.attention", "WORDS", get_args(words.Matter)),
    ("hub.pages.merchant.bulk", "WORDS", get_args(words.BulkAct)),
    ("hub.pages.merchant.access", "OTHER_MODE", words.MODES),
    ("hub.pages.merchant.messages", "STATUSES", words.EVENT_STATUSES),
    ("hub.pages.merchant.products", "STATUSES", words.PRODUCT_STATUSES),
    ("hub.pages.money_words", "METHODS", get_args(words.PayoutMethod)),
    ("hub.pages.money_words", "ADJUSTMENT_KINDS", get_args(words.AdjustmentKind)),
    ("hub.pages.money_words", "CARRIED", get_args(words.CarriedReason)),
    ("hub.pages.money_words", "MISSING", get_args(words.MissingForPayment)),
    ("hub.pages.money_words", "MISSING_FOR_REPORT", get_args(words.MissingForReport)),
    ("hub.pages.money_words", "RECEIPT_QUESTIONS", get_args(words.ReceiptQuestion)),
    ("hub.pages.money_words", "BILLED", get_args(words.BilledWhen)),
    ("hub.operations.money.invoices.statements", "BILLED_COMMISSIONS", get_args(words.BilledWhen)),
    ("hub.pages.money_words", "BANK_REPORTS", get_args(words.BankReportKind)),
    ("hub.pages.money_words", "REPORT_VERDICTS", get_args(words.ReportVerdict)),
    ("hub.pages.money_words", "RECEIPT_SOURCES", get_args(words.ReceiptSource)),
    ("hub.pages.money_words", "INVOICE_STATES", get_args(words.InvoiceState)),
    ("hub.pages.money_words", "ENTRIES", get_args(Kind)),
    ("hub.pages.money_words", "PLACES", get_args(Place)),
    ("hub.pages.operator.orders", "SIDES", get_args(words.Side)),
    ("hub.pages.operator.users", "MEANS", get_args(words.IntroductionMeans)),
    ("hub.pages.order_words", "TYPES", words.EVENT_TYPES),
    ("hub.pages.story", "LEVELS", get_args(words.RuleSource)),
]
"""The tables of what people read, and of what words have elsewhere: each has a row for each word."""


def written_again(source: str, constants: Iterable[str] = ()) -> Iterator[tuple[int, str]]:
    """Give the line of each collection of texts that is a closed set, and the set's name; `constants` are left out.

    Of dictionaries only tables count, those of a module: elsewhere they are records.
    """
    words = set(QUOTED.findall(source))
    if not any(found <= words for found in SETS if found not in SHARED):
        return
    tree = ast.parse(source)
    values: dict[int, str] = {}
    for each in tree.body:
        if not isinstance(each, ast.AnnAssign | ast.Assign):
            continue
        target = each.target if isinstance(each, ast.AnnAssign) else each.targets[0]
        if isinstance(target, ast.Name):
            values[id(each.value)] = target.id
    for node in ast.walk(tree):
        if values.get(id(node), "") in constants or (isinstance(node, ast.Dict) and id(node) not in values):
            continue
        texts = texts_of(node)
        found = frozenset(each.value for each in texts if isinstance(each, ast.Constant) and type(each.value) is str)
        if len(found) == len(texts) > 1 and found in SETS and found not in SHARED:
            yield getattr(node, "lineno", 0), SETS[found]


def texts_of(node: ast.AST) -> list[ast.expr | None]:
    """Return what a collection holds, and what a call is given after its first argument, a description."""
    if isinstance(node, ast.Dict):
        return node.keys
    if isinstance(node, ast.Call):
        return [*node.args[1:]]
    return [*node.elts] if isinstance(node, ast.Tuple | ast.List | ast.Set) else []


def test_no_closed_set_is_written_a_second_time() -> None:
    again = []
    for path in sorted((ROOT / "hub").rglob("*.py")):
        if path.name in ("words.py", "rule_kinds.py"):
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        constants = [name for where, name, _ in TABLES if where == module]
        again += [f"{path.relative_to(ROOT)}:{line} says {name} again: take it from hub/domain/words.py"
                  for line, name in written_again(path.read_text(), constants)]  # fmt: skip
    assert again == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('CHOICES = ("live", "test")', ["Mode"]),
        (f"State = Literal{[*reversed(RULE_TYPES)]}", ["RuleType"]),
        ('def f(x): return x in {"owner", "viewer"}', ["Level"]),
        ('ROWS: Final = {"live": 1, "test": 2}', ["Mode"]),
        ('def f(x): return {"live": 1, "test": 2}', []),
        ('TABLE = {"live": 1, "test": 2}', []),
        ('choice("The mode.", "test", "live")', ["Mode"]),
        ('("live", "other")', []),
    ],
)
def test_control_a_set_that_is_written_again_is_found(source: str, found: list[str]) -> None:
    assert [name for _, name in written_again(source, ["TABLE"])] == found


def missing(table: Any, expected: Iterable[str]) -> set[str]:
    """Return the words without a row, and the rows without a word."""
    return set(table) ^ set(expected)


@pytest.mark.parametrize(("module", "name", "expected"), TABLES, ids=lambda each: each if type(each) is str else "")
def test_a_table_has_a_row_for_each_word(module: str, name: str, expected: Iterable[str]) -> None:
    assert missing(getattr(importlib.import_module(module), name), expected) == set()


def test_control_a_table_without_a_row_is_named_with_the_word() -> None:
    assert missing({"test": "TEST"}, words.MODES) == {"live"}
    assert missing({"test": "TEST", "live": "", "shadow": ""}, words.MODES) == {"shadow"}


@pytest.mark.parametrize("type_", RULE_TYPES)
def test_a_kind_of_rule_takes_its_own_example_and_is_found_by_its_name(type_: RuleType) -> None:
    kind = kind_of(type_)
    assert (kind.type, kind_named(type_.lower())) == (type_, kind)
    kind.check(kind.example, "EUR")
    with pytest.raises(MoneyError):
        kind.check("no number", "EUR")
    assert kind.amount(kind.example, "EUR") != kind.example, "Say what the number is of."


def test_a_payout_format_is_a_row_and_in_the_document_of_money() -> None:
    assert [each.name for each in FORMATS] == list(words.PAYOUT_FORMATS)
    assert {each.method for each in FORMATS} == {*get_args(words.PayoutMethod), None}, "A payee's method has no file."
    documented = re.search(r"hub payout export ID --format (\S+\|\S+)", (ROOT / "docs/money.md").read_text())
    assert documented is not None
    assert documented[1].split("|") == list(words.PAYOUT_FORMATS), "docs/money.md names other formats."


def test_the_documents_name_each_kind_of_message() -> None:
    text = (ROOT / "docs/webhooks.md").read_text()
    assert [each for each in EVENT_TYPES if each not in text] == []


def test_the_sets_that_stand_beside_what_they_mean_have_no_doubles() -> None:
    for each in (get_args(Reason), get_args(Awaited), tuple(FACTS_OF_KIND), ORDER_STATUSES, EVENT_TYPES):
        assert len(each) == len(set(each)) > 1


def checked_with(tmp_path: Path, changes: dict[str, tuple[str, str]]) -> list[str]:
    """Return what the type checker says of the hub's domain if these files had one text in place of another."""
    shadows: list[str] = []
    for file, (before, after) in changes.items():
        text = (ROOT / file).read_text()
        assert before in text, f"{file} has no {before!r} to change"
        changed = tmp_path / file.replace("/", "_")
        changed.write_text(text.replace(before, after, 1))
        shadows += ["--shadow-file", file, str(changed)]
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), *shadows]
    files = ["hub/domain/orders/rule_kinds.py", "hub/domain/payouts/payout_formats.py"]
    # Own files and own output: the coverage of this process has nothing to do with it.
    found = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    return re.findall(r"^(hub/\S+?):\d+: error: .*assert_never", found.stdout, re.MULTILINE) + [
        line for line in found.stdout.splitlines() if "assert_never" not in line and "error:" in line
    ]


@pytest.mark.prove
def test_control_one_more_word_does_not_type_check_until_it_has_its_row(tmp_path: Path) -> None:
    more = {
        "hub/domain/orders/rule_kinds.py": (
            'Literal["PERCENTAGE", "FIXED"]',
            'Literal["PERCENTAGE", "FIXED", "CAPPED"]',
        ),
        "hub/domain/words.py": ('"stripe", "csv"]', '"stripe", "csv", "revolut"]'),
    }
    found = checked_with(tmp_path, more)
    # What a kind of rule is, what it pays, and how a format is written.
    assert sorted(each for each in found if each.endswith(".py")) == [
        "hub/domain/orders/rule_kinds.py", "hub/domain/orders/rule_kinds.py", "hub/domain/payouts/payout_formats.py",
    ]  # fmt: skip
