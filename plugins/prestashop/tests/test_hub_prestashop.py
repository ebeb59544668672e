"""The PrestaShop connector keeps the promises of every connector, and its own."""

from __future__ import annotations

import hmac
import io
import json
import shutil
import subprocess
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from attrs import evolve
from hub_prestashop import hub_connectors
from hub_prestashop.module import package
from hub_prestashop.options import PrestashopOptions
from hub_prestashop.scenarios import SCENES
from hub_prestashop.translate import of_webhook

from hub.api import (
    Context,
    Fact,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderGone,
    OrderRefunded,
    OrderSnapshot,
    PackageContext,
    Play,
    ProductStockUpdated,
    Unmappable,
)
from hub.testing.connector_suite import ConnectorSuite

PLAY = Play("1042", "clk_1", "EUR", 1_772_359_200_000)
CONTEXT = PackageContext(
    url="https://hub.example/connect/con_1", secret="it's\\", capture_url="https://hub.example/c.js"
)
CONTEXT_OF_FACTS = Context("d-1", 1_800_000_000_000, "EUR", PrestashopOptions())


class TestConformance(ConnectorSuite):
    """The hub's public suite over this plugin's samples."""

    connector_name = "prestashop"


def order(**changes: Any) -> dict[str, Any]:
    """A delivered order's body with changes to the order."""
    body: dict[str, Any] = json.loads(SCENES["delivered"](PLAY).body)
    body["order"].update(changes)
    return body


def facts(body: Mapping[str, Any], **options: Any) -> list[Fact]:
    context = evolve(CONTEXT_OF_FACTS, options=PrestashopOptions(**options))
    return list(of_webhook("order-created", dict(body), context))


def created(body: Mapping[str, Any], **options: Any) -> OrderCreated:
    (found,) = (fact for fact in facts(body, **options) if isinstance(fact, OrderCreated))
    return found


class TestMoney:
    def test_the_orders_discount_is_spread_over_its_lines(self) -> None:
        """PrestaShop keeps a voucher for the whole order; every line bears its part."""
        found = created(order(total_discounts_tax_excl="10.000000"))
        assert found.amount == 40
        assert [line.amount for line in found.lines] == [24, 16]

    def test_tax_counts_where_it_is_wanted(self) -> None:
        assert created(order()).amount == 50
        assert created(order(), tax="included").amount == 60

    def test_a_discount_larger_than_the_goods(self) -> None:
        assert created(order(total_discounts_tax_excl="99.000000")).amount == 0

    def test_a_slips_lines_bear_the_discount_too(self) -> None:
        """Else a refund would take back more than was ever earned."""
        row = {"product_id": 21, "quantity": 1, "total_tax_excl": "15.000000"}
        body = order(total_discounts_tax_excl="10.000000", slips=[{"id": 1, "rows": [row]}])
        (refund,) = (fact for fact in facts(body) if isinstance(fact, OrderRefunded))
        assert refund.lines[0].amount == 12
        assert refund.amount is None

    def test_a_slip_without_money_or_lines_is_no_refund(self) -> None:
        assert not [f for f in facts(order(slips=[{"id": 1, "rows": []}])) if isinstance(f, OrderRefunded)]

    def test_amounts_keep_every_digit(self) -> None:
        row = {"product_id": 1, "quantity": 3, "total_tax_excl": "0.333333"}
        assert created(order(rows=[row])).amount == Decimal("0.333333")

    def test_a_row_below_zero_takes_off_the_goods(self) -> None:
        """PrestaShop itself writes none, but a module may; it is no product, and the order counts all the same."""
        rows = [{"product_id": 1, "quantity": 1, "total_tax_excl": "40"}, {"product_id": 2, "total_tax_excl": "-10"},
                {"product_id": 3, "quantity": 1, "total_tax_excl": "60"}]  # fmt: skip
        found = created(order(rows=rows))
        assert found.amount == 90
        assert [(line.external_product_id, line.amount) for line in found.lines] == [
            ("1", Decimal(36)),
            ("3", Decimal(54)),
        ]
        assert created(order(rows=rows[1:2])).amount == 0

    def test_an_order_without_rows_is_refused(self) -> None:
        """Rather than counted, or restated, as worth nothing; an order of no rows at all is free."""
        with pytest.raises(Unmappable, match="no `rows`"):
            facts(order(rows=None))
        assert created(order(rows=[])).amount == 0

    @pytest.mark.parametrize("amount", ["1000000000000", "1E+30"])
    def test_no_amount(self, amount: str) -> None:
        with pytest.raises(Unmappable, match="no amount of money"):
            created(order(rows=[{"product_id": 1, "total_tax_excl": amount}]))


class TestMeaning:
    def test_a_state_counts_from_the_first_time(self) -> None:
        """An order may be moved back and forth; later moves are no second delivery."""
        history = [{"id": 5, "date": f"2026-03-0{day}T10:00:00Z", "meaning": "delivered"} for day in (1, 2)]
        (found,) = (fact for fact in facts(order(history=history)) if isinstance(fact, OrderDelivered))
        assert found.occurred_at == 1_772_359_200_000

    def test_own_states_replace_the_shops_configuration(self) -> None:
        assert not [f for f in facts(order(), delivered_states=("99",)) if isinstance(f, OrderDelivered)]

    def test_products_go_by_id_sku_or_combination(self) -> None:
        for key, named in (("id", "34"), ("sku", "LAMP-OAK"), ("variant", "34-7")):
            assert created(order(), product_key=key).lines[1].external_product_id == named

    def test_a_deleted_product(self) -> None:
        line = created(order(rows=[{"product_id": 0, "quantity": 1, "total_tax_excl": "5"}])).lines[0]
        assert line.external_product_id is None
        assert line.amount == 5

    def test_what_is_gone_is_told_by_its_number_alone(self) -> None:
        (gone,) = facts({"order": {"id": 7, "gone": True}, "clock": 1_772_359_200_000})
        assert isinstance(gone, OrderGone)
        assert (gone.order_id, gone.occurred_at) == ("7", 1_772_359_200_000)
        (stock,) = of_webhook("product-updated", {"product": {"id": 7, "gone": True}}, CONTEXT_OF_FACTS)
        assert isinstance(stock, ProductStockUpdated)
        assert stock.stock_status == "outofstock"

    @pytest.mark.parametrize("goods", ["0.00", "18.00"])
    def test_the_shipping_that_a_slip_gives_back_is_beside_the_goods(self, goods: str) -> None:
        slip = {"id": 3, "amount_tax_incl": goods, "shipping_tax_incl": "5.00", "rows": []}
        (refund,) = (each for each in facts(order(slips=[slip])) if isinstance(each, OrderRefunded))
        assert (refund.amount, refund.beside_goods) == (Decimal(goods) + 5, Decimal(5))

    def test_a_time_that_means_never(self) -> None:
        assert created(order(date="0000-00-00 00:00:00")).ordered_at is None


def states(*names: str) -> list[dict[str, Any]]:
    """Return a history with a state an hour."""
    told = {"placed": (10, False, None), "paid": (2, True, None), "cancelled": (6, False, "cancelled"),
            "refunded": (7, True, "refunded"), "own": (19, True, None)}  # fmt: skip
    return [
        {"id": told[name][0], "paid": told[name][1], "meaning": told[name][2], "date": f"2026-03-01T{hour:02}:00:00Z"}
        for hour, name in enumerate(names)
    ]


class TestStates:
    @pytest.mark.parametrize(
        ("history", "hour"),
        [
            (("placed",), None),
            (("placed", "paid"), 1),
            (("placed", "cancelled"), None),
            (("placed", "cancelled", "paid"), 2),
            (("placed", "paid", "cancelled"), None),
            (("placed", "paid", "refunded"), None),
            ((), None),
        ],
    )
    def test_an_order_stands_since_its_newest_state_where_that_counts_as_paid(
        self, history: tuple[str, ...], hour: int | None
    ) -> None:
        (snapshot,) = (each for each in facts(order(history=states(*history))) if isinstance(each, OrderSnapshot))
        assert snapshot.stands_at == (None if hour is None else 1_772_323_200_000 + hour * 3_600_000)

    def test_a_state_of_the_shops_own_that_cancels_does_not_stand(self) -> None:
        told = facts(order(history=states("paid", "own")), cancelled_states=("19",))
        assert [each.stands_at for each in told if isinstance(each, OrderSnapshot)] == [None]

    def test_each_cancellation_is_told(self) -> None:
        """An order that came back in between is cancelled anew by the second."""
        told = facts(order(history=states("placed", "cancelled", "paid", "cancelled")))
        keys = [each.key for each in told if isinstance(each, OrderCancelled)]
        assert len(set(keys)) == 2

    def test_a_snapshot_names_every_refund_that_there_is(self) -> None:
        slip = {"id": 3, "amount_tax_incl": "18.000000"}
        told = facts(order(history=states("paid", "refunded"), slips=[slip]))
        (snapshot,) = (each for each in told if isinstance(each, OrderSnapshot))
        refunds = {each.refund_id for each in told if isinstance(each, OrderRefunded)}
        assert set(snapshot.refund_ids or ()) == refunds == {"3", "state"}

    def test_a_body_that_tells_of_no_slips_does_not_say_that_there_are_none(self) -> None:
        (snapshot,) = (each for each in facts(order(slips=None)) if isinstance(each, OrderSnapshot))
        assert snapshot.refund_ids is None


class TestModule:
    def test_the_zip_has_one_folder_and_the_same_bytes(self) -> None:
        name, made = package(CONTEXT)
        assert (name, made) == package(CONTEXT)
        with ZipFile(io.BytesIO(made)) as archive:
            assert name == "affiliatehub.zip"
            assert archive.namelist() == [
                f"affiliatehub/{x}.php"
                for x in ("affiliatehub", "controllers/front/send", "outbox", "settings", "snapshots", "transport",
                          "upgrade/upgrade-0.2.0", "upgrade/upgrade-0.3.0")
            ]  # fmt: skip
            assert b"'secret' => 'it\\'s\\\\'" in archive.read("affiliatehub/settings.php")

    def test_it_declares_its_connector(self) -> None:
        (connector,) = hub_connectors()
        assert connector.package is package
        assert connector.issues_secret

    @pytest.mark.skipif(shutil.which("php") is None, reason="needs php")
    def test_php_reads_every_file(self, tmp_path: Path) -> None:
        with ZipFile(io.BytesIO(package(CONTEXT)[1])) as archive:
            archive.extractall(tmp_path)
        for file in sorted(tmp_path.rglob("*.php")):
            done = subprocess.run(["php", "-l", str(file)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout

    @pytest.mark.skipif(shutil.which("php") is None, reason="needs php")
    def test_php_writes_and_signs_what_the_scenes_do(self, tmp_path: Path) -> None:
        """The simulated store's bytes are the module's own."""
        with ZipFile(io.BytesIO(package(CONTEXT)[1])) as archive:
            archive.extractall(tmp_path)
        delivery = SCENES["delivered"](PLAY)
        (tmp_path / "body.json").write_bytes(delivery.body)
        script = (
            "define('_PS_VERSION_', '8'); require 'affiliatehub/snapshots.php'; "
            "$was = file_get_contents('body.json'); $told = json_decode($was, true); "
            "$made = affiliatehub_body($told['topic'], $told['delivery'], ['order' => $told['order']]); "
            '$sent = preg_replace(\'/"sent_at":"[^"]+","clock":[0-9]+/\', \'\', [$was, $made]); '
            "echo $sent[0] === $sent[1] ? 'same' : $made, ' ', affiliatehub_signature('x', 'k'); "
            "echo ' ', affiliatehub_money(1e9/3);"
        )
        done = subprocess.run(["php", "-r", script], cwd=tmp_path, capture_output=True, text=True, check=False)
        signature = "sha256=" + hmac.digest(b"k", b"x", "sha256").hex()
        assert done.stdout.split(" ") == ["same", signature, "333333333.333333"]
