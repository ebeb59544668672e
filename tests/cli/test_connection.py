"""`hub connection`: from nothing to a store that is heard, and what is wrong where it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hub.clock import system_clock
from hub.ids import new_id
from hub.observability.request_log import LogRow
from hub.operations.system import plugins
from tests.acme import acme_plugins, acme_registry
from tests.cli.conftest import Office, Operator
from tests.processing.test_deliveries import Shop, hire, order


@pytest.fixture(autouse=True)
def acme(monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform Acme is installed."""
    monkeypatch.setattr(plugins, "plugin_host_for", acme_plugins)


def create(operator: Operator, *more: str, connector: str = "acme") -> Any:
    merchant = operator.merchant("--approve")
    return operator.do(
        "connection", "create", "--merchant", merchant, "--mode", "test", "--connector", connector, *more
    )


def test_a_connection_from_nothing(either: Operator) -> None:
    """The answer has all that the store owner needs, and the secret is shown this once."""
    made = create(either, "--option", "days=7", "--option", "click-field=ref", "--title", "Main shop")
    assert made.keys() == {"id", "url", "secret", "steps"}
    assert made["url"].endswith(f"/connect/{made['id']}")
    assert len(made["secret"]) == 32
    assert made["secret"].isalnum()
    warned, *steps = made["steps"]
    assert warned.startswith("Acme cannot reach 127.0.0.1, which is not a public address")
    assert steps[:2] == [f"Open the admin and paste {made['url']}.", f"Paste the secret {made['secret']}."]
    shown = either.do("connection", "show", made["id"])
    assert shown["options"] == {"days": "7", "click_field": "ref"}
    assert (shown["title"], shown["status"], shown["mode"]) == ("Main shop", "ACTIVE", "test")
    assert made["secret"] not in json.dumps(shown)
    (listed,) = either.do("connection", "list")
    assert listed["id"] == made["id"]
    assert either.do("connection", "list", "--merchant", shown["merchantId"]) == [listed]


def test_an_erasure_that_waits_is_seen_and_revoked(either: Operator) -> None:
    """Listed for all connections, shown with its own, and a problem that `check` names."""
    made = create(either)
    assert either.do("connection", "erasures") == []
    assert either.do("connection", "show", made["id"])["erasures"] == []
    assert either.do("connection", "keep", made["id"]) == {"id": made["id"], "revoked": 0}


def test_a_given_secret_is_not_shown(operator: Operator) -> None:
    """It is known where it came from."""
    made = create(operator, "--secret", "theirs")
    assert made["secret"] is None
    assert "theirs" not in json.dumps(made)


def test_a_platform_that_makes_its_own_secret_waits_for_it(operator: Operator) -> None:
    """Its secret may come later: the last step says how."""
    made = create(operator, connector="plain")
    assert made["secret"] is None
    assert any("hub connection secret add" in step for step in made["steps"])
    refusal = operator.refused("connection", "secret", "add", made["id"])
    assert "Plain makes the secret itself" in refusal
    added = operator.do("connection", "secret", "add", made["id"], "--secret", "theirs")
    assert added["secret"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--connector", "nothing"), "There is no connector 'nothing'. Installed with deliveries of their own: acme, "),
        (("--connector", "generic"), "takes no deliveries of its own"),
        (("--connector", "acme", "--option", "dayz=1"), "Did you mean days?"),
        (("--connector", "acme", "--option", "days"), "'days' is not an option; write it like name=value."),
        (("--connector", "acme", "--secret", " x"), "The secret must be printable text without blanks around it."),
        (("--connector", "acme", "--merchant", "mer_0"), "There is no merchant 'mer_0'."),
        (("--connector", "shopify", "--option", "shop_url=https://other.example"),
         "The option shop_url must be on an approved domain of the merchant"),
        (("--connector", "acme", "--mode", "live"), "A live connection needs an APPROVED merchant"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_refused(operator: Operator, arguments: tuple[str, ...], said: str) -> None:
    """Each with its mend."""
    merchant = operator.merchant()
    refusal = operator.refused("connection", "create", "--merchant", merchant, "--mode", "test", *arguments)
    assert said in refusal


def test_a_secret_is_changed_without_a_gap(either: Operator) -> None:
    """Add the new one, expire the old one; the last is not ended by mistake."""
    made = create(either)
    (first,) = either.do("connection", "show", made["id"])["secrets"]
    refusal = either.refused("connection", "secret", "expire", made["id"], first["id"])
    assert "is the last secret without an end" in refusal
    added = either.do("connection", "secret", "add", made["id"])
    assert len(added["secret"]) == 32
    either.do("connection", "secret", "expire", made["id"], first["id"], "--after", "24h")
    secrets = either.do("connection", "show", made["id"])["secrets"]
    assert [(s["id"], s["expiresAt"] is None) for s in secrets] == [(first["id"], False), (added["secretId"], True)]
    assert "There is no secret" in either.refused("connection", "secret", "expire", made["id"], "sec_0")


def test_a_closed_connection_stays_closed(either: Operator) -> None:
    """It stays closed since the first time."""
    made = create(either)
    first = either.do("connection", "close", made["id"])
    assert (first["status"], first["closedAt"] is None) == ("CLOSED", False)
    assert either.do("connection", "close", made["id"]) == first
    assert "There is no connection" in either.refused("connection", "close", "con_0")


def test_a_package_is_written_with_the_secret(operator: Operator, tmp_path: Path) -> None:
    """Built with the newest secret and the address of the capture script."""
    made = create(operator)
    file = tmp_path / "plugin.zip"
    told = operator.do("connection", "package", made["id"], "--output", str(file))
    root = made["url"].partition("/connect/")[0]
    assert file.read_text() == f"{made['url']} {made['secret']} {root}/capture.js"
    assert (told["name"], told["bytes"]) == ("acme.txt", file.stat().st_size)
    other = create(operator, "--secret", "s", connector="plain")
    assert "Plain needs no package" in operator.refused("connection", "package", other["id"], "--output", str(file))


def check(operator: Operator, connection_id: str) -> tuple[int, dict[str, Any]]:
    result = operator.run("connection", "check", connection_id, "--json")
    return result.exit_code, json.loads(result.stdout)


def test_a_connection_without_deliveries_has_a_problem(operator: Operator) -> None:
    """Nothing has arrived."""
    made = create(operator)
    status, found = check(operator, made["id"])
    assert (status, found["ok"], found["topics"], found["lastDeliveryAt"]) == (1, False, [], None)
    nothing, unreachable = found["problems"]
    assert nothing.startswith("Nothing has arrived yet. Go through the steps again")
    assert unreachable.startswith("Acme cannot reach 127.0.0.1")
    assert "Nothing has arrived yet." in operator.run("connection", "check", made["id"]).stdout


async def test_a_check_shows_what_has_arrived_and_what_is_missing(office: Office) -> None:
    """Topics with their times, orders without a click, no payment, refused signatures, and at last that all is well."""
    harness, operator = office.harness, office.operator
    hire(harness, acme_registry())
    arguments = ("--merchant", harness.merchant_id, "--mode", "test", "--connector", "acme")
    made = await office.do("connection", "create", *arguments)
    shop = Shop(harness, harness.account_id, made["id"])
    for number in range(3):
        await shop.tell("order", order(f"N-{number}"))
    await shop.tell("order", {"number": 1})
    path = f"/connect/{made['id']}"
    refusal = LogRow(
        harness.account_id, system_clock(), new_id("log"), "r", "POST", path, 401, "bad_signature", None, "", 1, None
    )
    async with harness.store.write() as tx:
        await tx.run("insert_request_log", rows=[refusal])
    status, found = run_check(operator, made["id"])
    assert status == 1
    assert [(t["topic"], t["deliveries"], t["outcomes"]) for t in found["topics"]] == [
        ("order", 4, {"FAILED": 1, "PROCESSED": 3})
    ]
    assert found["lastDeliveryAt"] is not None
    assert (found["newestOrders"], found["newestOrdersWithClick"]) == (3, 0)
    assert found["refusedToday"] == {"bad_signature": 1}
    said = " ".join(found["problems"])
    for part in (
        "refused within a day",
        "Order 1 could not be read (evt_",
        "paid yet",
        "last 3 orders has a click",
    ):
        assert part in said


async def test_a_connection_without_problems_is_well(office: Office) -> None:
    """Paid orders with clicks, a moment ago."""
    harness = office.harness
    hire(harness, acme_registry())
    arguments = ("--merchant", harness.merchant_id, "--mode", "test", "--connector", "acme")
    made = await office.do("connection", "create", *arguments)
    shop = Shop(harness, harness.account_id, made["id"])
    await shop.tell("order", order(paid=True, extra={"click": await harness.click()}))
    status, found = run_check(office.operator, made["id"])
    assert (status, found["problems"], found["ok"], found["orderNews"]) == (0, [], True, {"paid": 1})


async def test_silence_is_noticed(office: Office) -> None:
    """Platforms turn webhooks off without a word."""
    harness = office.harness
    hire(harness, acme_registry())
    harness.clock.now = system_clock() - 8 * 86_400_000
    arguments = ("--merchant", harness.merchant_id, "--mode", "test", "--connector", "acme")
    made = await office.do("connection", "create", *arguments)
    await Shop(harness, harness.account_id, made["id"]).tell("order", order(paid=True))
    _, found = run_check(office.operator, made["id"])
    assert any("Nothing has arrived since" in problem for problem in found["problems"])


def run_check(operator: Operator, connection_id: str) -> tuple[int, dict[str, Any]]:
    """A command opens an event loop of its own, so it runs beside this one."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(check, operator, connection_id).result()
