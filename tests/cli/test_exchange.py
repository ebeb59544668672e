"""`hub exchange`, as people read it: what is proposed, from a file as well, listed and dropped."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Operator


def test_rates_are_proposed_listed_and_dropped(operator: Operator, tmp_path: Path) -> None:
    operator.merchant()
    said = operator.run("exchange", "propose", "USD:EUR:0.9231,GBP:EUR:1.19", "--source", "ECB")
    assert (said.exit_code, "Another person approves them: hub exchange approve exr_" in said.stdout) == (0, True)
    file = tmp_path / "rates.csv"
    file.write_text("base,quote,rate\nUSD,JPY,155.20\n")
    (read,) = operator.do("exchange", "read", str(file), "--source", "A bank")
    assert (read["rate"], read["status"]) == ("155.2", "PROPOSED")
    shown = operator.run("exchange", "list").stdout
    assert [rate in shown for rate in ("0.9231", "1.19", "155.2")] == [True] * 3
    assert "you did the first act yourself" in operator.refused("exchange", "approve", read["setId"])
    assert "DROPPED" in operator.run("exchange", "drop", read["setId"]).stdout
    assert "cannot be read" in operator.refused("exchange", "read", str(tmp_path / "none.csv"), "--source", "x")
    assert "No balance is dormant" in operator.run("balance", "dormant").stdout
