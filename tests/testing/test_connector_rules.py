"""The conformance suite itself: every rule passes a good connector and finds the slip that it is there for."""

from __future__ import annotations

import hmac
import json
from base64 import b64encode
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from hub.api import (
    CREATED_KEY,
    Connector,
    Context,
    Delivery,
    Fact,
    FieldPlace,
    HeaderPlace,
    HmacHeader,
    Line,
    OrderCreated,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    Play,
    SecretHeader,
    TimestampHmac,
    Topic,
    Unmappable,
)
from hub.domain.connectors.scenes import ORDER_STEPS
from hub.testing.calls import CallFault
from hub.testing.connector_capture import check_captured
from hub.testing.connector_checks import (
    RULES,
    check_facts,
    check_place,
    check_purity,
    check_repetition,
    check_signature,
    missing_snapshots,
)
from hub.testing.connector_hostility import check_hostility, check_parser
from hub.testing.connector_plausibility import unknown_exceptions
from hub.testing.connector_report import accept, check_connector
from hub.testing.connector_scenes import check_scenes
from hub.testing.connector_stories import check_stories
from hub.testing.samples import exceptions_of, samples_of

GOOD: dict[str, Any] = {
    "id": "7",
    "amount": "5.00",
    "paid": "2026-03-01T10:00:00Z",
    "refund": {"id": "r1", "amount": "1.00"},
}
EXCUSED = """
[snapshots]
"order/created" = "the probe has no versions"
"order/updated" = "the probe has no versions"

[signed]
probe = "nobody sends it"
"""
Translate = Callable[[dict[str, Any], Context], Iterable[Fact]]


def order(body: dict[str, Any], amount: Any = None) -> OrderCreated:
    number = body.get("id")
    if not isinstance(number, str) or not number.strip():
        raise Unmappable("`id` is missing")
    worth = Decimal("5.00") if amount is None else amount
    return OrderCreated(CREATED_KEY, number, worth, "USD", None, None, (Line("p", 1, worth),), None, None, None)


def good(body: dict[str, Any], _: Context) -> Iterable[Fact]:
    made = order(body)
    yield made
    if body.get("paid"):
        yield OrderPaid("paid", made.order_id, None, None, None)


def made(translate: Translate = good, **changes: Any) -> Connector:
    connector = Connector(
        name="probe",
        title="Probe",
        translate_webhook=lambda kind, body, context: translate(body, context),
        recognises=lambda body: "id" in body,
        rank=5,
        auth=HmacHeader("X-Signature"),
        topic=HeaderPlace("X-Topic"),
        topics=(Topic("order/created", dict, translate), Topic("order/updated", dict, translate)),
    )
    return evolve(connector, **changes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Samples of one order on two topics."""
    for topic, body in (("order__created", {**GOOD, "paid": None}), ("order__updated", GOOD)):
        (tmp_path / topic).mkdir()
        (tmp_path / topic / "plain.json").write_text(json.dumps(body))
    (tmp_path / "exceptions.toml").write_text(EXCUSED)
    return tmp_path


def faults(rule: Callable[..., list[str]], connector: Connector, folder: Path) -> str:
    return "\n".join(fault for sample in samples_of(connector, folder) for fault in rule(connector, sample))


def stories(connector: Connector, folder: Path, scenes: Any = None) -> list[str]:
    return check_stories(connector, samples_of(connector, folder), scenes or {})


@pytest.mark.prove
class TestReport:
    def test_a_good_connector(self, folder: Path) -> None:
        """Golden files are missing at first; once accepted everything holds."""
        before = check_connector(made(), folder)
        assert [result.rule for result in before if result.faults] == ["golden"]
        written = accept(made(), folder)
        assert sorted(file.name for file in written) == ["plain.facts.json"] * 2
        assert accept(made(), folder) == []
        assert [result for result in check_connector(made(), folder) if result.faults] == []

    def test_facts_that_changed(self, folder: Path) -> None:
        """The difference is shown line by line."""
        accept(made(), folder)
        changed = made(lambda body, context: [order(body, Decimal(6))])
        (golden,) = (result for result in check_connector(changed, folder) if result.rule == "golden")
        assert '-      "amount": "5.00"' in golden.faults[0]
        assert '"amount": "6"' in golden.faults[0]

    def test_a_topic_that_nothing_shows(self, folder: Path) -> None:
        (folder / "order__updated" / "plain.json").unlink()
        (topics,) = (result for result in check_connector(made(), folder) if result.rule == "topics")
        assert topics.faults == ("no sample shows the topic 'order/updated'",)

    def test_a_connector_that_raises_fails_before_every_rule(self, folder: Path) -> None:
        """With the file and the line; the rules would say the same a hundred times."""
        broken = made(lambda body, context: body["never"])
        (calls,) = check_connector(broken, folder)
        assert calls.rule == "calls"
        assert len(calls.faults) == 2
        assert "the connector raises KeyError: 'never' at testing/test_connector_rules.py:" in calls.faults[0]


class TestWhatCannotBeAccepted:
    """Rules that read no golden file, and so find what an author accepted without reading."""

    def test_an_order_without_a_snapshot(self, folder: Path) -> None:
        """Unless the platform's orders never change, which `exceptions.toml` says with a reason."""
        samples = samples_of(made(), folder)
        excused = exceptions_of(folder)["snapshots"]
        assert missing_snapshots(made(), samples, excused) == []
        first, second = missing_snapshots(made(), samples, {})
        assert "'order/created' states OrderCreated and never OrderSnapshot" in first
        assert "'order/updated'" in second
        both = made(lambda body, _: [order(body), OrderSnapshot("snapshot", "7", 1, Decimal(5), "USD", (), None)])
        assert missing_snapshots(both, samples, {}) == []
        assert "but is listed under [snapshots]" in missing_snapshots(both, samples, excused)[0]

    def test_a_captured_delivery(self, folder: Path) -> None:
        """It was signed with the secret's text; a connector that reads the secret as hex refuses it."""
        file = folder / "order__created" / "plain.json"
        proof = hmac.digest(b"5a5a", file.read_bytes(), "sha256")
        captured = {"source": "the admin", "secret": "5a5a", "headers": {"X-Signature": b64encode(proof).decode()}}
        assert "no captured delivery proves" in check_captured(made(), samples_of(made(), folder), {})[0]
        told = file.with_name("plain.signed.json")
        told.write_text(json.dumps(captured))
        assert check_captured(made(), samples_of(made(), folder), {}) == []
        slip = made(auth=HmacHeader("X-Signature", secret_encoding="hex"))
        assert "is refused" in check_captured(slip, samples_of(slip, folder), {})[0]
        other = made(auth=HmacHeader("X-Other"))
        assert "has no header X-Other" in check_captured(other, samples_of(other, folder), {})[0]
        told.write_text(json.dumps({**captured, "source": ""}))
        assert "has no source" in check_captured(made(), samples_of(made(), folder), {})[0]

    def test_a_step_that_nobody_plays(self) -> None:
        """And a step that is excused although it is played."""
        scenes = {"created": lambda play: Delivery("order/created", b"{}")}
        excused = dict.fromkeys(ORDER_STEPS[2:], "the probe has none")
        assert any("there is no scene paid" in fault for fault in check_scenes(made(), scenes, excused))
        excused["created"] = "the probe has none"
        assert any("the scene created is there, but" in fault for fault in check_scenes(made(), scenes, excused))
        assert check_scenes(made(), {}, {}) == []

    def test_exceptions_that_except_nothing(self, folder: Path) -> None:
        (folder / "exceptions.toml").write_text('[scenes]\nlost = "x"\n[signed]\nother = ""\n[odd]\na = "b"\n')
        assert unknown_exceptions(made(), folder, samples_of(made(), folder)) == [
            "exceptions.toml, [scenes]: there is no step 'lost'",
            "exceptions.toml, [signed]: there is no connector 'other'",
            "exceptions.toml, [signed]: 'other' has no reason",
            "exceptions.toml has [odd]; there are refused, amounts, moments, scenes, snapshots, signed",
        ]


class TestRules:
    def test_every_rule_passes_the_good_one(self, folder: Path) -> None:
        accept(made(), folder)
        for rule in RULES:
            assert faults(rule.check, made(), folder) == "", rule.name

    @pytest.mark.parametrize(
        "auth",
        [
            HmacHeader("X-S", "sha1", "hex"),
            HmacHeader("X-S", "sha512", "base64"),
            HmacHeader("X-S", "sha256", "hex", "sha256=", "hex"),
            SecretHeader("X-S"),
            TimestampHmac("X-S"),
            TimestampHmac("X-S", "{id}.{timestamp}.{body}", "list", "v1", "X-T", "X-I", encoding="base64"),
        ],
    )
    def test_every_way_of_signing(self, auth: Any, folder: Path) -> None:
        assert faults(check_signature, made(auth=auth), folder) == ""

    def test_a_topic_in_the_body(self, folder: Path) -> None:
        assert "its body None" in faults(check_place, made(topic=FieldPlace("topic")), folder)

    def test_an_unknown_folder(self, folder: Path) -> None:
        assert "has no topic 'order/created'" in faults(check_place, made(topics=()), folder)

    def test_keys_that_follow_the_clock(self, folder: Path) -> None:
        slip = made(lambda body, c: [OrderPaid(f"paid:{c.received_at}", "7", None, None, None)])
        assert "received a day later" in faults(check_repetition, slip, folder)

    def test_keys_that_follow_the_delivery(self, folder: Path) -> None:
        """Only as refund@<delivery id>, which nothing else can be named by."""
        slip = made(lambda body, c: [OrderPaid(f"paid{len(c.delivery_id)}{c.delivery_id[-1]}", "7", None, None, None)])
        assert "under another delivery id" in faults(check_repetition, slip, folder)
        fine = made(
            lambda body, c: [OrderRefunded(f"refund@{c.delivery_id}", "7", None, None, None, None, Decimal(1), ())]
        )
        assert faults(check_repetition, fine, folder) == ""

    def test_one_key_twice(self, folder: Path) -> None:
        assert "one key twice" in faults(check_repetition, made(lambda body, c: [order(body), order(body)]), folder)

    def test_input_and_output(self, folder: Path) -> None:
        def reads(body: dict[str, Any], _: Context) -> Iterable[Fact]:
            Path(__file__).read_bytes()
            return [order(body)]

        assert "does I/O: open" in faults(check_purity, made(reads), folder)

    def test_memory(self, folder: Path) -> None:
        seen: list[int] = []

        def counts(body: dict[str, Any], _: Context) -> Iterable[Fact]:
            seen.append(1)
            return [order(body, Decimal(len(seen)))]

        assert "two outcomes" in faults(check_purity, made(counts), folder)

    def test_a_changed_body(self, folder: Path) -> None:
        def changes(body: dict[str, Any], _: Context) -> Iterable[Fact]:
            return [order({"id": body.pop("id", "7")})]

        assert "changes the body" in faults(check_purity, made(changes), folder)

    def test_a_float(self, folder: Path) -> None:
        slip = made(lambda body, c: [order(body), OrderPaid("paid", "7", 1.5, None, None)])  # type: ignore[arg-type]  # the slip
        with pytest.raises(CallFault, match="gives OrderPaid.occurred_at as float where a whole number or None is due"):
            faults(check_facts, slip, folder)


class TestStories:
    def test_good(self, folder: Path) -> None:
        assert stories(made(), folder) == []

    def test_the_current_total_instead_of_the_placed_one(self, folder: Path) -> None:
        """An order that is stated differently later would be worth what arrived first."""

        def scene(amount: str, paid: str | None) -> Callable[[Play], Delivery]:
            return lambda play: Delivery(
                "order/updated", json.dumps({"id": play.order_id, "amount": amount, "paid": paid}).encode()
            )

        slip = made(lambda body, c: [order(body, Decimal(str(body["amount"])))])
        told = stories(slip, folder, {"created": scene("5", None), "paid": scene("4", "now")})
        assert "created -> paid ends as an order of 5" in told[0]
        assert stories(made(), folder, {"created": scene("5", None), "paid": scene("4", "now")}) == []

    def test_five_deliveries(self, tmp_path: Path) -> None:
        """Longer stories are shuffled instead of told in every order."""
        (tmp_path / "order__updated").mkdir()
        for number in range(6):
            body = {**GOOD, "refund": {"id": f"r{number}", "amount": "1.00"}}
            (tmp_path / "order__updated" / f"{number}.json").write_text(json.dumps(body))

        def refunds(body: dict[str, Any], _: Context) -> Iterable[Fact]:
            yield order(body)
            number, amount = body["refund"]["id"], Decimal(body["refund"]["amount"])
            yield OrderRefunded(f"refund:{number}", "7", None, None, None, number, amount, ())

        assert stories(made(refunds), tmp_path) == []

        def last_wins(body: dict[str, Any], _: Context) -> Iterable[Fact]:
            yield order(body)
            yield OrderRefunded("refund", "7", None, None, None, None, Decimal(body["refund"]["id"][1:]), ())

        assert stories(made(last_wins), tmp_path) == []


class TestHostility:
    def test_good(self, folder: Path) -> None:
        assert check_hostility(made(), samples_of(made(), folder)) == []
        assert check_parser() == []

    @pytest.mark.parametrize(
        ("slip", "said"),
        [
            (lambda body, c: [order(body), body.get("refund", {"id": 1})["id"]][:1], "raises TypeError"),
            (lambda body, c: [order(body, Decimal(str(body.get("amount", 1))))], "raises InvalidOperation"),
            (lambda body, c: [order({"id": str(body.get("id"))})] if body["paid"] else [], "raises KeyError"),
            (lambda body, c: [order(body)] if len(body.get("paid", "")) else [], "raises TypeError"),
        ],
    )
    def test_slips(self, slip: Translate, said: str, folder: Path) -> None:
        """What is missing, null or of another type where a body was trusted."""
        assert said in "\n".join(check_hostility(made(slip), samples_of(made(), folder)))

    def test_what_is_asked_of_a_body_besides(self, folder: Path) -> None:
        """is_test and erasure see the same bodies."""
        slip = made(is_test=lambda body, headers: body["refund"]["test"])
        assert "raises KeyError" in "\n".join(check_hostility(slip, samples_of(slip, folder)))

    def test_one_slip_is_told_twenty_times_at_most(self, folder: Path) -> None:
        assert len(check_hostility(made(lambda body, c: body["never"]), samples_of(made(), folder))) == 20
