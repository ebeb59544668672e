"""How sharp the suite is: 37 slips of three connectors, each caught by name, and none of them by its golden files.

Golden files that were accepted from a slip agree with it, so they catch nothing here: every slip must break a rule.
Most are slips of the scaffold; what its platform does not have (gift cards, included tax, a signature that was
captured) is a slip of a real connector.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen

from hub.api import Connector
from hub.plugin_host.packages import package_folder
from hub.plugin_host.registry import load_plugins
from hub.testing import calls
from hub.testing.calls import CallFault
from hub.testing.connector_capture import check_captured
from hub.testing.connector_report import accept, check_connector
from hub.testing.connector_scenes import check_scenes
from hub.testing.samples import samples_of
from hub.testing.skeleton import write_plugin

pytestmark = pytest.mark.prove  # each runs the whole suite of promises

PACKAGE = "hub_mutant"
READ = 'number = as_id(order.id, "the order")\n    '
PLACE = f"{READ}lines ="
PLACED = 'as_moment(order.created_at, "created_at")'


@frozen
class Mutant:
    """One slip: what it is, its change of a file of the scaffold, the rule that catches it and what the rule says."""

    slip: str
    old: str
    new: str
    rule: str
    sentence: str
    file: str = "translate.py"


MUTANTS = (
    Mutant("negative amount", "amount=order.goods_total", "amount=-order.goods_total", "amounts", "negative amount"),
    Mutant("shipping in the amount", "amount=order.goods_total", "amount=order.total or order.goods_total",
           "amounts", "lines add up to 50.00, its amount is 59.90"),
    Mutant("lines that sum to twice the amount", "map(_line, order.lines)", "map(_line, order.lines * 2)",
           "amounts", "lines add up to 100.00, its amount is 50.00"),
    Mutant("times in seconds", PLACED, f"({PLACED} or 0) // 1000", "moments",
           "not between 2000 and a day from now"),
    Mutant("times shifted by a zone", PLACED, f"({PLACED} or 0) - 7 * 3_600_000", "scenes",
           "-7.0 h from when the order was placed"),
    Mutant("dropped click", "click_id=as_text(order.click_id)", "click_id=None", "scenes", "not the play's 'clk_"),
    Mutant("refund without money and lines", "amount=refund.amount,\n        lines=tuple(map(_line, refund.lines))",
           "amount=None,\n        lines=()", "refusals", "says neither how much money went back"),
    Mutant("own key of the order", "key=CREATED_KEY", 'key="order"', "facts", "not CREATED_KEY"),
    Mutant("moment that is the time of receipt", 'number, as_moment(order.paid_at, "paid_at")',
           "number, context.received_at", "repetition", "other values under the same keys"),
    Mutant("payment missing from later snapshots", "if order.paid_at is not None:",
           "if order.paid_at is not None and order.delivered_at is None:", "scenes", "does not say again 'OrderPaid"),
    Mutant("refund under another order's id", "order_id=number,\n        occurred_at",
           'order_id=f"{number}-1",\n        occurred_at', "refusals", "speaks of several orders"),
    Mutant("currency in lower case", "currency=as_text(order.currency)",
           'currency=(as_text(order.currency) or "").lower() or None', "refusals", "'usd' is not an ISO 4217 currency"),
    Mutant("partial refund taken as whole", "amount=refund.amount,\n        lines=tuple(map(_line, refund.lines)),",
           "amount=None,\n        lines=(),\n        whole=True,", "scenes", "takes back the whole order"),
    Mutant("shrinking total", "amount=order.goods_total",
           "amount=order.goods_total - sum(refund.amount for refund in order.refunds)", "any order", "ends as"),
    Mutant("key with the time of receipt", 'status_key("paid", None)', 'status_key("paid", context.received_at)',
           "repetition", "received a day later it has other keys"),
    Mutant("random key", "def of_order", "from random import random\n\n\ndef of_order", "purity", "uses chance"),
    Mutant("minor units", "amount=order.goods_total", "amount=order.goods_total * 100", "scenes",
           "its amount is 5000.00, but the scene says 50.00"),
    Mutant("the clock", f"ordered_at={PLACED}", "ordered_at=_now()", "purity", "reads the clock"),
    Mutant("a file that is read", PLACE,
           READ + "open(__file__).close()\n    lines =", "purity", "does I/O: open"),
    Mutant("global state", PLACE,
           READ + "_remember(number)\n    lines =", "state", "SEEN is changed"),
    Mutant("output", PLACE, READ + "print(number)\n    lines =",
           "calls", "prints '1001"),
    Mutant("slowness", PLACE, READ + "_wait()\n    lines =",
           "calls", "takes longer than"),
    Mutant("deletion of anything", ', required=("id",), allowed=("id",)', "", "forged topics",
           "under the topic order.deleted cancels the order 1001", "__init__.py"),
    Mutant("paid total that is the goods' alone", "paid_total=order.total", "paid_total=order.goods_total", "scenes",
           "its paid_total is 45.00, but the scene says 54.90"),
    Mutant("dropped coupon", "coupon_code=as_text(order.coupon)", "coupon_code=None", "scenes",
           "its coupon is None, but the scene says 'SPRING'"),
    Mutant("one piece of each", "as_quantity(line.quantity, 1)", "1", "scenes",
           "its lines have 2 pieces, but the scene says 3"),
    Mutant("no snapshot", "if version is not None:", "if False:", "snapshots",
           "states OrderCreated and never OrderSnapshot"),
    Mutant("snapshot that shrinks with refunds", "version, order.goods_total,",
           "version, order.goods_total - sum(refund.amount for refund in order.refunds),", "scenes",
           "OrderSnapshot has the amount 35.00, but created was worth 50.00"),
    Mutant("snapshot as first seen", "yield OrderSnapshot(SNAPSHOT_KEY, number, version,",
           'yield OrderSnapshot(SNAPSHOT_KEY, number, as_moment(order.created_at, "created_at") or 0,', "scenes",
           "not a later one than before the edit"),
    Mutant("delivery whose key moves with each edit", 'status_key("delivered", None)',
           'status_key("delivered", as_moment(order.updated_at, "updated_at"))', "scenes",
           "OrderDelivered has the key 'delivered:"),
    Mutant("delivery that cancels, too", "yield OrderDelivered(",
           'yield OrderCancelled(status_key("cancelled", None), number, arrived, None, None)\n        '
           "yield OrderDelivered(", "scenes", "it states OrderCancelled, an end of the order that is not its own"),
)  # fmt: skip
REAL = {
    "shopify": (
        Mutant("included tax in the amount", 'if taxes_included and options.tax == "excluded":', "if False:", "scenes",
               "its amount is 57.00, but the scene says 47.50", "goods.py"),
        Mutant("gift card that counts as goods", "if line.gift_card or line.tip or", "if line.tip or", "scenes",
               "its amount is 72.50, but the scene says 47.50", "goods.py"),
        Mutant("secret read as hex", 'auth=HmacHeader("X-Shopify-Hmac-Sha256", encoding="base64")',
               'auth=HmacHeader("X-Shopify-Hmac-Sha256", secret_encoding="hex")', "captured",
               "the captured delivery is refused", "__init__.py"),
    ),
    "wix": (
        Mutant("prices after tax", 'else "totalPriceBeforeTax"', 'else "totalPriceAfterTax"', "scenes",
               "its amount is 54.00, but the scene says 45.00"),
        Mutant("gift card to give away", "== GIFT_CARD:", '== "":', "scenes",
               "its amount is 70.00, but the scene says 45.00"),
        Mutant("refunds that are worth nothing", "== SUCCEEDED:", '== "SUCCESS":', "scenes",
               "the scene refunded: it does not state OrderRefunded"),
    ),
}  # fmt: skip
"""The slips of real connectors; only the rule that is there for each is run, since the others take long."""
MORE = """

def _now() -> int:
    import time

    return int(time.time() * 1000)


def _wait() -> None:
    import time

    time.sleep(30)


SEEN: list[str] = []


def _remember(number: str) -> None:
    SEEN.append(number)
"""
SWALLOWED = {
    "shrinking total": ("if version is not None:", "if False:"),
    "random key": ('yield OrderPaid(status_key("paid", None)', 'yield OrderPaid(f"paid:{random()}"'),
}
"""A second change, of those slips that need one."""


@contextmanager
def installed(folder: Path) -> Iterator[Connector]:
    """Import the scaffold's package from its folder, for as long as the block lasts."""
    sys.path.insert(0, str(folder))
    try:
        (connector,) = importlib.import_module(PACKAGE).hub_connectors()
        yield connector
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]


def changed(folder: Path, mutant: Mutant) -> None:
    file = folder / PACKAGE / mutant.file
    source = file.read_text("utf-8")
    importlib.invalidate_caches()
    for old, new in [(mutant.old, mutant.new), *([SWALLOWED[mutant.slip]] if mutant.slip in SWALLOWED else [])]:
        assert old in source, f"the scaffold has no {old!r}"
        source = source.replace(old, new, 1)
    file.write_text(source + (MORE if mutant.file == "translate.py" else ""), "utf-8")


def found(connector: Connector) -> dict[str, str]:
    """What each rule that does not hold says."""
    return {result.rule: "\n".join(result.faults) for result in check_connector(connector) if result.faults}


def test_control_the_scaffold_breaks_no_rule(tmp_path: Path) -> None:
    """Whatever the rules find below, they find because of the slip."""
    folder, _ = write_plugin("mutant", tmp_path)
    with installed(folder) as connector:
        assert accept(connector) == []
        assert found(connector) == {}


def test_there_are_thirty_seven() -> None:
    real = [mutant.slip for mutants in REAL.values() for mutant in mutants]
    assert len({mutant.slip for mutant in MUTANTS} | set(real)) == 37


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.slip.replace(" ", "-"))
def test_a_slip_is_caught_by_name(mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its golden files agree with it, and the rule that is there for it does not."""
    if mutant.slip == "slowness":
        monkeypatch.setattr(calls, "LIMIT_SECONDS", 0.1)
    folder, _ = write_plugin("mutant", tmp_path)
    changed(folder, mutant)
    with installed(folder) as connector:
        if mutant.rule == "calls":
            with pytest.raises(CallFault, match=mutant.sentence):
                accept(connector)
        else:
            accept(connector)
        faults = found(connector)
    assert mutant.sentence in faults.get(mutant.rule, ""), faults
    assert "golden" not in faults or mutant.slip in ("random key", "the clock")


@pytest.mark.parametrize(
    ("name", "mutant"),
    [(name, mutant) for name, mutants in REAL.items() for mutant in mutants],
    ids=lambda value: value.slip.replace(" ", "-") if isinstance(value, Mutant) else value,
)
def test_a_slip_of_a_real_connector_is_caught_by_name(name: str, mutant: Mutant, tmp_path: Path) -> None:
    """The control is the connector as it is, by the same rule."""
    found = load_plugins().named(name)
    assert found is not None
    shutil.copytree(package_folder(found), tmp_path / PACKAGE)
    for file in (tmp_path / PACKAGE).rglob("*.py"):
        file.write_text(file.read_text("utf-8").replace(f"hub_{name}", PACKAGE), "utf-8")
    with installed(tmp_path) as connector:
        assert by_rule(connector, tmp_path, mutant.rule) == []
    changed(tmp_path, mutant)
    with installed(tmp_path) as connector:
        assert mutant.sentence in "\n".join(by_rule(connector, tmp_path, mutant.rule))


def by_rule(connector: Connector, folder: Path, rule: str) -> list[str]:
    """What a rule that reads no golden file says of the copy of a connector."""
    if rule == "scenes":
        return check_scenes(connector, importlib.import_module(f"{PACKAGE}.scenarios").SCENES, {})
    return check_captured(connector, samples_of(connector, folder / PACKAGE / "samples"), {})
