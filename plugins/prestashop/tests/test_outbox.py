"""The module's outbox, run by PHP: no buyer waits for it, and nothing leaves it but by the hub's proof.

PrestaShop is a stand-in (shop.php) that knows the module's statements and no others; the hub is a real HTTP server.
"""

from __future__ import annotations

import hmac
import io
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from hub_prestashop.module import package

from hub.api import PackageContext

pytestmark = pytest.mark.skipif(shutil.which("php") is None, reason="needs php")
SECRET = "s3cret"
SHOP = Path(__file__).with_name("shop.php")


class Hub(HTTPServer):
    """What answers at the hub's address: the hub, or something else."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.manner = "hub"
        self.taken: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.came = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answers(BaseHTTPRequestHandler):
    server: Hub

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        due = "sha256=" + hmac.digest(SECRET.encode(), body, "sha256").hex()
        genuine = self.headers["X-Affiliate-Hub-Signature"] == due
        status = {"hub": 200 if genuine else 401, "parked": 200, "moved": 301, "down": 503, "refuses": 413}
        self.send_response(status[self.server.manner])
        if self.server.manner == "hub":
            said = f"taken:{sha256(body).hexdigest()}".encode()
            proofs = [hmac.digest(key, said, "sha256").hex() for key in (b"another", SECRET.encode())]
            self.send_header("X-Affiliate-Hub-Proof", ", ".join(proofs))
            self.server.taken.append(json.loads(body))
        self.end_headers()

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        query = urlsplit(self.path).query
        due = hmac.digest(SECRET.encode(), query.encode(), "sha256").hex()
        is_shop = self.headers["X-Affiliate-Hub-Signature"] == due
        status = {"hub": 200, "parked": 200, "moved": 301, "down": 503, "refuses": 413}[self.server.manner]
        self.send_response(401 if query.startswith("nonce=") and not is_shop else status)
        self.end_headers()
        if self.server.manner == "hub" and is_shop:
            nonce = query.partition("=")[2].encode()
            self.wfile.write(json.dumps({"proof": hmac.digest(SECRET.encode(), nonce, "sha256").hex()}).encode())
        self.server.came.set()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def serving() -> Iterator[Hub]:
    hub = Hub()
    thread = threading.Thread(target=hub.serve_forever, args=(0.01,))
    thread.start()
    yield hub
    hub.shutdown()
    thread.join()
    hub.server_close()


@pytest.fixture
def hub(serving: Hub) -> Hub:
    serving.manner = "hub"
    serving.taken.clear()
    serving.asked.clear()
    serving.came.clear()
    return serving


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory, serving: Hub) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    context = PackageContext(f"{serving.url}/connect/con_1", SECRET, "https://hub.example/capture.js")
    with ZipFile(io.BytesIO(package(context)[1])) as archive:
        archive.extractall(folder)
    return folder / "affiliatehub"


def shop(module: Path, hub: Hub, *steps: str) -> list[dict[str, Any]]:
    """Take steps in one PHP process; return what each left."""
    done = subprocess.run(
        ["php", "-d", "error_reporting=-1", "-d", "display_errors=stderr", str(SHOP), str(module), *steps],
        capture_output=True, text=True, check=True, timeout=300, env={**os.environ, "KNOCKED": hub.url},
    )  # fmt: skip
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_an_order_is_only_noted_and_sent_after_the_request(module: Path, hub: Hub) -> None:
    """The shop asks itself for the page that sends, once, however many things changed; its token is no secret."""
    ordered, changed = shop(module, hub, "order 7 clk_1", "history 7")
    assert (ordered["rows"].keys(), changed["rows"].keys()) == ({"order7"}, {"order7"})
    assert hub.came.wait(300)
    (asked,) = hub.asked
    assert asked.startswith("/affiliatehub/send?token=")
    assert SECRET not in asked
    assert hub.taken == []


def test_what_the_hub_proves_leaves_the_outbox(module: Path, hub: Hub) -> None:
    (*_, sent) = shop(module, hub, "order 7 clk_1", "history 7", "history 8", "send")
    assert (sent["rows"], sent["log"]) == ([], [])
    assert [told["order"]["id"] for told in hub.taken] == [7, 8]
    assert (hub.taken[0]["order"]["click_id"], hub.taken[0]["order"]["customer"]) == ("clk_1", "ada@shop.example")
    assert hub.taken[0]["order"]["date"] == "2026-03-01T09:00:00Z"


@pytest.mark.parametrize(
    ("manner", "said"),
    [("parked", "that is not the hub"), ("moved", "answered 301"), ("down", "answered 503")],
)
def test_whatever_is_not_the_hub_leaves_it_waiting(module: Path, hub: Hub, manner: str, said: str) -> None:
    """One try, not one for each thing; the pauses grow to six hours and never end."""
    hub.manner = manner
    steps = ["order 7", "order 8", "send", *["later 99999", "send"] * 30]
    told = shop(module, hub, *steps)
    assert said in told[2]["log"][0]
    assert len(told[2]["log"]) == 1
    assert told[2]["rows"]["order7"] == {"attempts": 1, "pause": 60}
    assert max(row["pause"] for row in told[-1]["rows"].values()) == 21_600
    assert hub.taken == []


def test_after_an_outage_everything_arrives_once(module: Path, hub: Hub) -> None:
    """The control is the hub that is down, which keeps both."""
    hub.manner = "down"
    orders = [f"order {number}" for number in range(20, 50)]
    assert len(shop(module, hub, *orders, "send", "later 60", "send")[-1]["rows"]) == 30
    hub.manner = "hub"
    assert shop(module, hub, *orders, "send")[-1]["rows"] == []
    assert sorted(told["order"]["id"] for told in hub.taken) == list(range(20, 50))


def test_a_change_while_it_is_sent_is_sent_too(module: Path, hub: Hub) -> None:
    shop(module, hub, "order 7", "changes", "send")
    assert len(hub.taken) == 2


def test_what_cannot_be_read_or_taken_keeps_nothing_else_waiting(module: Path, hub: Hub) -> None:
    (*_, sent) = shop(module, hub, "history 13", "history 404", "history 7", "send")
    assert sent["rows"].keys() == {"order13"}
    assert "a row of this order cannot be read" in sent["log"][0]
    assert [told["order"]["id"] for told in hub.taken] == [404, 7]
    assert hub.taken[0]["order"] == {"id": 404, "gone": True}
    hub.manner = "refuses"
    assert len(shop(module, hub, "order 7", "order 8", "send")[-1]["log"]) == 2


def test_one_process_sends_at_a_time(module: Path, hub: Hub) -> None:
    assert shop(module, hub, "order 7", "locked", "send")[-1]["rows"].keys() == {"order7"}
    assert hub.taken == []


def test_the_shop_never_fails_with_the_module(module: Path, hub: Hub) -> None:
    """A table that is away costs the buyer nothing."""
    (*_, after) = shop(module, hub, "broken", "history 7")
    assert after["log"] == ["Affiliate hub: the table is away"]


def test_the_page_tests_sends_again_and_says_what_waits(module: Path, hub: Hub) -> None:
    tested, again = shop(module, hub, "press affiliatehub_test", "press affiliatehub_again")
    assert "<ok>The hub has the test.</ok>" in tested["page"]
    assert "<ok>2 orders are sent again.</ok>" in again["page"]
    assert "2 orders and products wait" in again["page"]
    hub.manner = "parked"
    assert "that is not the hub" in shop(module, hub, "press affiliatehub_test")[0]["page"]


DAY = 86_400


def test_the_hub_is_asked_to_prove_itself_once_a_day(module: Path, hub: Hub) -> None:
    """Even if nothing is sold: a visit is enough. The page says when it last did."""
    early, _, due, again, page, late = shop(
        module, hub, "send", f"due {DAY}", "send", "send", "press nothing", f"due {DAY - 5}"
    )
    assert "AFFILIATEHUB_PROVED" not in early["kept"]
    assert due["kept"]["AFFILIATEHUB_PROVED"] == due["kept"]["AFFILIATEHUB_ASKED"]
    assert (len(hub.asked), again["kept"], again["log"]) == (1, due["kept"], [])
    assert "The hub last proved itself at" in page["page"]
    assert "<error>" not in page["page"] + late["page"]


def test_a_visit_to_a_quiet_shop_has_it_asked(module: Path, hub: Hub) -> None:
    """The control is a visit on the same day."""
    shop(module, hub, "visit")
    assert not hub.asked
    shop(module, hub, f"due {DAY}", "visit")
    assert hub.came.wait(300)
    assert "/affiliatehub/send?token=" in hub.asked[0]


@pytest.mark.parametrize("manner", ["parked", "moved", "down"])
def test_what_is_not_the_hub_proves_nothing(module: Path, hub: Hub, manner: str) -> None:
    hub.manner = manner
    told = shop(module, hub, f"due {DAY}", "send")[-1]
    assert "AFFILIATEHUB_PROVED" not in told["kept"]
    assert "the daily question" in told["log"][0]


def test_the_page_says_since_when_it_has_not_and_nothing_is_kept_after_uninstalling(module: Path, hub: Hub) -> None:
    *_, page, gone = shop(module, hub, f"due {DAY}", "send", f"aged {2 * DAY}", "press nothing", "uninstall")
    assert "<error>The hub has not proved itself since" in page["page"]
    assert gone["kept"] == {}


def test_an_upgrade_makes_the_tables(module: Path, hub: Hub) -> None:
    assert shop(module, hub, "upgrade")[0]["made"] == 3


def clicks(hub: Hub) -> list[str | None]:
    return [told["order"]["click_id"] for told in hub.taken]


def test_an_order_that_the_payments_server_makes_has_the_click_of_its_cart(module: Path, hub: Hub) -> None:
    """It has no cookie of the buyer's; the buyer's own, where there is one, says more."""
    shop(module, hub, "cart 5 clk_1", "order 7  5", "order 8 clk_2 5", "order 9  6", "send")
    assert clicks(hub) == ["clk_1", "clk_2", None]


def test_an_order_that_an_employee_writes_has_no_click(module: Path, hub: Hub) -> None:
    """Whatever cookies the employee's browser has of the shop; the control is the same buyer before."""
    shop(module, hub, "order 7 clk_1", "employee", "cart 5 clk_1", "order 8 clk_1 5", "send")
    assert clicks(hub) == ["clk_1", None]


def test_a_number_that_is_given_again_does_not_keep_its_click(module: Path, hub: Hub) -> None:
    shop(module, hub, "order 7 clk_1", "order 7", "send")
    assert clicks(hub) == [None]


def test_an_edit_that_changes_no_state_is_told(module: Path, hub: Hub) -> None:
    shop(module, hub, "edited 7", "send")
    assert [told["order"]["id"] for told in hub.taken] == [7]


def test_a_slip_names_what_it_is_for(module: Path, hub: Hub) -> None:
    """One for the shipping alone names no line; PrestaShop's own function would name all."""
    shop(module, hub, 'slips {"3":[2],"4":[]}', "history 7", "send")
    piece, shipping = hub.taken[0]["order"]["slips"]
    assert [(row["product_id"], row["quantity"], row["total_tax_excl"]) for row in piece["rows"]] == [
        (34, 1, "30.000000")
    ]
    assert (shipping["rows"], shipping["shipping_tax_incl"]) == ([], "6.000000")
