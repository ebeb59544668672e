"""What the operator's pages show, at the terminal: the health, the search, the settings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hub.cli.output import show_table
from tests.cli.conftest import Operator


def status_of(operator: Operator) -> Any:
    """What `hub status` prints while there is a trouble, for which its exit status is 1."""
    result = operator.run("status", "--json")
    assert result.exit_code == 1, result.output
    return json.loads(result.stdout)


def test_status_says_what_needs_somebody(either: Operator) -> None:
    """Without a server and an audit there is a trouble and no run; after an audit there is one."""
    merchant = either.merchant()
    found = status_of(either)
    assert (found["waiting"], found["stuck"], found["audit"]) == (0, {"failed": 0, "unmatched": 0, "parked": 0}, None)
    assert found["troubles"] == ["No process has written a heartbeat for 15 seconds."]
    either.do("audit")
    assert status_of(either)["audit"]["violations"] == 0
    shown = either.run("status").stdout
    assert "last audit" in shown
    assert "docs/troubles.md#nobody-serves" in shown
    assert "see `hub status`" not in shown, "it is what they look at"
    assert either.do("find", merchant) == [{"kind": "merchant", "id": merchant, "name": merchant}]


def test_find_takes_a_part_of_a_name(either: Operator) -> None:
    merchant = either.merchant()
    assert [each["id"] for each in either.do("find", "fjord")] == [merchant]
    assert either.do("find", "nobody") == []


def test_settings_say_where_they_come_from(operator: Operator) -> None:
    """The environment's variable is named, and no secret is shown."""
    given = {each["path"]: each for each in operator.do("settings", "--given")}
    assert given["database.url"]["origin"] == "HUB_DATABASE_URL"
    assert given["master_key"]["value"] == "set, and not shown"
    assert operator.url not in str(given)
    every = {each["path"]: each for each in operator.do("settings")}
    assert (every["server.port"]["origin"], every["server.port"]["value"]) == ("default", "8080")


def test_one_very_long_order_number_moves_its_own_row_alone(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(["order", "state"], [("x" * 160, "PAID"), ("O-1", "HOLD")], "None.")
    head, long, short = capsys.readouterr().out.splitlines()
    assert (head.split(), short.split(), len(short) < 20) == (["ORDER", "STATE"], ["O-1", "HOLD"], True)
    assert long.split() == ["x" * 160, "PAID"], "nothing is cut"
