"""What a walk through a real WooCommerce found, each with the tests that keep it mended; and the plugin's part by PHP.

The tests of `tests/woocommerce` need a WordPress and are usually skipped; the others run everywhere.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hub_woocommerce.package import package
from hub_woocommerce.steps import STEPS

from hub.api import PackageContext

ROOT = Path(__file__).parents[3]
CONTEXT = PackageContext("https://hub.example/connect/con_1", "s3cret", "https://hub.example/capture.js")
PHP = shutil.which("php")
needs_php = pytest.mark.skipif(PHP is None, reason="php is not installed: the WordPress plugin's PHP was NOT run")
HERE, WALK = "plugins/woocommerce/tests/test_woocommerce_findings.py", "tests/woocommerce/test_the_walk.py"
ORDERS, REFUNDS = "tests/woocommerce/test_orders.py", "tests/woocommerce/test_refunds.py"
CONNECTOR, CHECK = "plugins/woocommerce/tests/test_woocommerce_orders.py", "tests/cli/test_connection.py"
ASKED, SNAPSHOTS = "tests/platform_sync/test_connection_check.py", "tests/processing/test_snapshots.py"
SITES, BROWSER = "tests/platform_webhooks/test_sites.py", "tests/woocommerce/test_in_chromium.py"

FINDINGS = {
    "1 one short outage ends the connection and loses its orders": (
        f"{HERE}::test_what_failed_is_sent_again_and_no_webhook_is_turned_off",
        f"{HERE}::test_what_was_given_up_is_caught_up_when_the_hub_answers",
        f"{WALK}::test_orders_of_an_outage_all_arrive",
        f"{WALK}::test_orders_of_an_outage_beyond_the_week_come_back",
        f"{HERE}::test_the_end_of_a_long_outage_sends_at_once_what_waits",
        f"{HERE}::test_what_ended_in_the_middle_is_done_again",
        f"{HERE}::test_what_waits_survives_while_the_plugin_is_off",
        f"{WALK}::test_without_the_plugins_queue_they_would_be_lost",
        "tests/woocommerce/test_asking.py::test_an_outage_loses_nothing_without_the_plugin",
        f"{ASKED}::test_what_a_reading_shows_is_named",
        f"{ASKED}::test_orders_that_stay_away_while_products_come_are_named",
    ),
    "2 a new package leaves the webhooks with the old address or secret": (
        f"{HERE}::test_the_webhooks_follow_the_installed_package",
        f"{WALK}::test_a_package_of_another_connection_moves_the_webhooks",
        f"{WALK}::test_a_new_package_is_enough_for_a_new_secret",
        f"{ASKED}::test_a_shop_that_still_delivers_to_its_test_connection_is_named",
        f"{CHECK}::test_a_check_shows_what_has_arrived_and_what_is_missing",
    ),
    "3 activated without a logged-in user every order is lost": (
        f"{HERE}::test_an_owner_is_found_and_replaced",
        f"{HERE}::test_an_order_is_sent_although_the_owner_has_just_gone",
        f"{WALK}::test_activated_without_a_user_orders_arrive",
        f"{WALK}::test_an_owner_who_goes_is_replaced",
        f"{WALK}::test_webhooks_whose_owner_may_not_read_orders_are_named",
        f"{CONNECTOR}::test_what_is_refused",
        f"{ASKED}::test_webhooks_whose_owner_may_not_read_orders_are_named",
    ),
    "4 a cloned shop writes into the live ledger": (
        f"{HERE}::test_a_copy_of_the_shop_is_quiet",
        f"{WALK}::test_a_copy_of_the_shop_goes_quiet",
        f"{HERE}::test_a_shop_that_moved_sends_what_changed_while_it_was_quiet",
        f"{HERE}::test_a_copy_may_have_a_connection_of_its_own",
        f"{SITES}::test_another_site_is_refused_until_the_shop_has_moved",
        f"{ASKED}::test_a_copy_of_the_shop_is_named",
    ),
    "5 an order's amount is frozen at first sight": (
        f"{ORDERS}::test_an_edit_counts",
        f"{ORDERS}::test_an_order_saved_empty_and_then_filled_counts",
        f"{CONNECTOR}::test_a_snapshot_is_as_new_as_the_plugin_saw_it",
        f"{SNAPSHOTS}::test_an_edit_restates_the_order_and_its_commission",
        f"{SNAPSHOTS}::test_once_payable_a_difference_is_a_review_and_never_silence",
        f"{ASKED}::test_what_only_may_go_wrong_is_a_note",
    ),
    "6 refunding only shipping, a fee or tax cuts the commission": (
        f"{REFUNDS}::test_only_money_for_goods_is_taken_back",
        f"{CONNECTOR}::test_money_for_shipping_alone_is_beside_the_goods",
        f"{CONNECTOR}::test_a_fee_is_beside_the_goods_unless_fees_are_goods",
        f"{CONNECTOR}::test_tax_alone_is_beside_the_goods_unless_prices_contain_it",
    ),
    "7 money after WooCommerce's own cancel earns nothing": (
        f"{ORDERS}::test_money_after_a_cancel_counts",
        f"{ORDERS}::test_trashed_restored_and_deleted_for_good",
        f"{CONNECTOR}::test_a_status_that_is_on_takes_a_cancellation_back",
        f"{SNAPSHOTS}::test_money_after_a_cancel_earns",
    ),
    "8 the page's check proves little": (
        f"{HERE}::test_the_page_says_what_is_wrong",
        f"{HERE}::test_the_page_proves_the_secret_both_ways",
        f"{WALK}::test_the_page_proves_the_secret_both_ways",
        f"{WALK}::test_a_secret_that_was_changed_on_one_side_is_named",
        f"{ASKED}::test_after_pings_alone_no_order_has_ever_arrived",
    ),
    "9 WordPress refuses a hub on most ports and private addresses": (
        f"{HERE}::test_a_refused_port_is_explained_where_the_owner_looks",
        f"{ASKED}::test_addresses_that_platforms_refuse",
    ),
    "10 currencies that WooCommerce offers and ISO has not": (
        "tests/domain/test_money.py::test_currencies_that_platforms_have_and_iso_has_not",
        f"{ASKED}::test_what_could_not_be_read_is_a_problem_for_a_week",
        "tests/platform_sync/test_reads.py::test_a_currency_that_the_hub_cannot_keep_is_refused_at_once",
    ),
    "11 the catalogue starts empty, and variations do not reach their product": (
        f"{HERE}::test_the_catalogue_and_variations_are_sent",
        f"{ORDERS}::test_products_from_before_are_sent_after_the_activation",
        f"{ORDERS}::test_a_variable_product_sells_out_with_its_last_variation",
        f"{ORDERS}::test_a_product_deleted_for_good_is_sold_out",
        f"{CHECK}::test_a_value_that_cannot_be_used_is_refused",
        f"{ASKED}::test_what_only_may_go_wrong_is_a_note",
    ),
    "12 an order deleted for good sends nothing": (
        f"{HERE}::test_orders_deleted_for_good_are_sent_once_they_were_orders",
        f"{ORDERS}::test_trashed_restored_and_deleted_for_good",
        f"{ORDERS}::test_deleted_by_the_rest_api_for_good",
    ),
    "13 erasure, versions and what is left behind": (
        f"{HERE}::test_an_erased_buyer_is_erased_in_the_hub_too",
        f"{HERE}::test_wordpress_own_tool_erases_in_the_hub_whatever_the_shop_keeps",
        f"{ORDERS}::test_an_erased_buyer_is_erased_in_the_hub",
        "plugins/woocommerce/tests/test_woocommerce_wordpress.py::test_another_secret_is_another_version",
        f"{WALK}::test_nothing_is_left_after_uninstalling",
        "tests/domain/test_catalog.py::test_a_domain_that_is_approved_with_a_port_allows_just_that",
        "tests/cli/test_changes.py::test_the_same_merchant_twice_is_asked_about",
    ),
    "14 both checkouts keep the click": (f"{BROWSER}::test_a_buyers_click_reaches_the_order",),
}
"""Each finding with the tests that hold it."""


@pytest.mark.parametrize("finding", FINDINGS)
def test_each_finding_has_its_tests(finding: str) -> None:
    for name in FINDINGS[finding]:
        file, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{name} is missing"


@pytest.fixture(scope="module")
def did(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the plugin did in each case of findings.php."""
    assert PHP is not None
    folder = tmp_path_factory.mktemp("plugin")
    with zipfile.ZipFile(io.BytesIO(package(CONTEXT)[1])) as archive:
        archive.extractall(folder)
    script = str(Path(__file__).with_name("findings.php"))
    command = [PHP, "-d", "opcache.enable_cli=0", script, str(folder / "affiliate-hub")]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout)


@needs_php
def test_what_failed_is_sent_again_and_no_webhook_is_turned_off(did: Any) -> None:
    """WooCommerce turns a webhook off at the sixth failure and sends nothing again."""
    outage = did["outage"]
    assert (outage["status"], outage["failures"]) == (["active"], 0)
    pauses = [int(each.split("|")[1]) for each in outage["queued"] if "deliver" in each]
    assert pauses == [60, 120, 240, 480, 960, 1_920, 3_840, 7_680]
    assert "has not taken deliveries" in outage["notice"]
    assert "is sent once it takes them again" in outage["notice"], "also what was given up meanwhile"


@needs_php
def test_a_shop_whose_scheduled_tasks_sleep_is_told_on_each_admin_page(did: Any) -> None:
    """Nothing fails then, and nothing is sent; its owner found it on the plugin's own page alone."""
    assert "scheduled tasks do not run" in did["asleep"]["notice"]
    assert did["asleep"]["after"] == ""


@needs_php
def test_only_a_signed_answer_counts_as_delivered(did: Any) -> None:
    """A parked domain answers 200 and takes nothing: it is sent again, also if it repeats a proof of another body."""
    parked = did["parked"]
    sent_again = [each.split("|")[:2] for each in parked["queued"] if "deliver" in each]
    assert sent_again == [["affiliate_hub_deliver", "60"]] * 2
    assert (parked["failing"], parked["said"][0], parked["over"]) == (True, "error", "info")
    assert "200, but not by your hub" in parked["said"][1]


@needs_php
def test_both_ends_prove_each_other_daily(did: Any) -> None:
    """Also while nothing is delivered: what has taken the hub's place is told on each admin page from then on."""
    assert did["daily"] == [["error", True], ["success", False]]


@needs_php
def test_what_was_given_up_is_caught_up_when_the_hub_answers(did: Any) -> None:
    """After a week a delivery is no longer tried; all that changed since the outage began is sent when it is over."""
    given_up = did["given_up"]
    assert given_up["not_queued"] == 1
    assert [each.split("|")[0] for each in given_up["caught_up"]] == ["affiliate_hub_resend_orders"]
    assert given_up["left"] is False


@needs_php
def test_the_webhooks_follow_the_installed_package(did: Any) -> None:
    """An upload that replaces the plugin runs no activation; the next request moves all eight webhooks."""
    assert did["package"] == {
        "faults": 8,
        "urls": ["https://hub.example/connect/con_live"],
        "secrets": ["newer"],
        "after": [],
    }


@needs_php
def test_an_owner_is_found_and_replaced(did: Any) -> None:
    """Without a user who is logged in, and after the owner may no longer read orders."""
    assert did["no_user"] == {"owners": [5], "faults": 8, "then": [6]}


@needs_php
def test_a_copy_of_the_shop_is_quiet(did: Any) -> None:
    """Only towards the hub; the same shop under another scheme or without "www." is not a copy."""
    copy = did["copy"]
    assert (copy["hushed"], copy["others"], copy["queued"], copy["same_shop"]) == (True, False, [], False)
    assert "copy of the shop" in copy["notice"]


@needs_php
def test_the_page_proves_the_secret_both_ways(did: Any) -> None:
    proof = did["proof"]
    assert proof["signs"] == ""
    assert "refused the signature" in proof["refuses"]
    assert "not your hub" in proof["else"]


@needs_php
def test_a_refused_port_is_explained_where_the_owner_looks(did: Any) -> None:
    """On the plugin's page, in the steps of the connection, and in the guide."""
    assert "80, 443 and 8080" in did["port"]
    assert any("80, 443 and 8080" in step for step in STEPS)
    guide = (ROOT / "docs/connect-a-store.md").read_text("utf-8")
    assert "http_allowed_safe_ports" in guide
    assert "http_request_host_is_external" in guide


@needs_php
def test_the_catalogue_and_variations_are_sent(did: Any) -> None:
    assert did["catalogue"] == ["affiliate_hub_catalogue|60|1"]
    assert did["products"] == [
        "affiliate_hub_deliver|5|6,16,0",
        "affiliate_hub_deliver|5|6,16,0",
        "affiliate_hub_deliver|1|7,16,0",
    ]


@needs_php
def test_orders_deleted_for_good_are_sent_once_they_were_orders(did: Any) -> None:
    """Either way to store orders; neither drafts of the checkout nor refunds."""
    assert did["deleted"] == ["affiliate_hub_deliver|1|3,5,0"] * 2


@needs_php
def test_an_order_whose_refund_is_deleted_is_sent_once_more(did: Any) -> None:
    """Unless another plugin keeps the refund; whichever it is, its word stands."""
    assert did["kept"] == [None, False]
    assert did["undone"] == ["affiliate_hub_deliver|5|2,16,0"]


@needs_php
def test_an_erased_buyer_is_erased_in_the_hub_too(did: Any) -> None:
    assert did["erased"]["gone"] == ["_wc_order_attribution_session_entry", "affiliate_click_id"]
    (sent,) = did["erased"]["queued"]
    assert sent.startswith('affiliate_hub_send|10|affiliate_hub.erase,{"affiliate_hub_erase":[5],')


@needs_php
def test_wordpress_own_tool_erases_in_the_hub_whatever_the_shop_keeps(did: Any) -> None:
    """WooCommerce leaves orders alone when a buyer is erased, unless its settings say otherwise."""
    tool = did["tool"]
    assert tool["answer"] == {"items_removed": True, "items_retained": False, "messages": [], "done": True}
    assert [each.partition('"as_of"')[0] for each in tool["queued"]] == [
        'affiliate_hub_send|10|affiliate_hub.erase,{"affiliate_hub_erase":[5],'
    ]
    assert "affiliate_click_id" in tool["gone"]
    assert (tool["other"]["items_removed"], tool["after"]) == (False, 1)


@needs_php
def test_a_hub_that_hangs_does_not_hold_up_the_shop(did: Any) -> None:
    assert did["brief"] == [{"timeout": 15}, {"timeout": 60}]


@needs_php
def test_the_end_of_a_long_outage_sends_at_once_what_waits(did: Any) -> None:
    """After eight hours the next attempt may be six hours away; after a minute (the control) it is near anyway."""
    assert did["short"] == []
    assert did["long"] == {
        "queued": [
            "affiliate_hub_hurry|1|",
            "affiliate_hub_deliver|0|1,5,9",
            "affiliate_hub_send|0|affiliate_hub.erase,{},3",
        ],
        "waiting": 0,
    }


@needs_php
def test_what_ended_in_the_middle_is_done_again(did: Any) -> None:
    """PHP was stopped while it delivered, also at the first attempt; what is another plugin's is left alone."""
    assert did["ended_early"] == [
        "affiliate_hub_deliver|60|2,5,1",
        "affiliate_hub_deliver|240|1,5,3",
        "affiliate_hub_send|60|t,{},1",
        "affiliate_hub_catalogue|3600|3",
    ]


@needs_php
def test_what_waits_survives_while_the_plugin_is_off(did: Any) -> None:
    """WooCommerce's queue drops what no plugin does; and orders change meanwhile."""
    assert did["off"] == {
        "queued": ["affiliate_hub_deliver", "affiliate_hub_resend_orders", "affiliate_hub_catalogue"],
        "left": False,
        "status": ["active"],
    }


@needs_php
def test_a_shop_that_moved_sends_what_changed_while_it_was_quiet(did: Any) -> None:
    """Its address is stored so that a search and replace over a copy's database does not find it."""
    moved = did["moved"]
    assert "shop.example" not in moved["stored"]
    assert moved["quiet"] == ["affiliate_hub_deliver|86400|3,5,0"]
    assert moved["last"][0] == "error"
    assert [each.split("|")[0] for each in moved["then"]] == ["affiliate_hub_resend_orders"]
    assert (moved["copy"], moved["left"]) == (False, False)


@needs_php
def test_a_copy_may_have_a_connection_of_its_own(did: Any) -> None:
    """Another connection's package is this site's; another secret of the shop's own (the control) is not."""
    assert did["own_connection"] == {"rotated": True, "copy": False, "queued": ["affiliate_hub_catalogue|60|1"]}


@needs_php
def test_the_site_is_named_as_it_is_stored(did: Any) -> None:
    """Plugins for several languages change home_url(); the hub takes another source for another site."""
    assert did["source"] == ["https://www.shop.example/", "x"]


@needs_php
def test_an_order_is_sent_although_the_owner_has_just_gone(did: Any) -> None:
    """The daily look would be too late: WooCommerce sends an error instead of the order."""
    assert did["owner_gone"] == {"seen": ["id", "affiliate_hub"], "then": 6}


@needs_php
def test_the_page_says_what_is_wrong(did: Any) -> None:
    page = did["page"]
    assert (page["fresh"], page["stale"][0]) == ("success", "warning")
    assert "refused the signature" in page["last"][1]
    assert page["waiting"][0][1] == "Waiting to be sent: 3"  # of webhook 2, which WooCommerce has not tried yet
    assert "wp-cron" in page["waiting"][1][1]


@needs_php
def test_spare_posts_and_pages_are_not_reported(did: Any) -> None:
    """A post is only a copy of an order in a table; WooCommerce calls a page in the trash a product."""
    assert did["spare_posts"] == {"queued": [], "due": [False, False, True], "orders": True}


@needs_php
def test_webhooks_that_somebody_changed_are_mended_and_orders_sent_again(did: Any) -> None:
    assert did["changed"] == {"faults": 3, "after": [], "queued": ["affiliate_hub_resend_orders"]}


def test_files_of_another_package_have_another_time() -> None:
    """PHP's opcode cache compares only that, and would not see a new secret if a tool keeps the zip's times."""

    def times(context: PackageContext) -> set[tuple[int, ...]]:
        with zipfile.ZipFile(io.BytesIO(package(context)[1])) as archive:
            return {entry.date_time for entry in archive.infolist()}

    (first,), (again,), (other,) = times(CONTEXT), times(CONTEXT), times(evolve(CONTEXT, secret="another"))
    assert first == again != other
    assert first[0] < 2020
