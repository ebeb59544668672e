"""The rules of what happens once, as values: what a batch comes to, and the very rows that make it durable."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from hub.intake.rules import (
    AnswerRow,
    ClaimOwner,
    ClaimRow,
    EventRow,
    IntakePlan,
    IntakeState,
    Item,
    PayloadRow,
    RepeatRow,
    StoredAnswer,
    answer_row,
    plan_batch,
)
from hub.intake.submission import (
    Accepted,
    Answer,
    IdempotencyUse,
    InFlight,
    Mismatch,
    RefusedRequest,
    Replayed,
    RequestGuards,
    SignatureReused,
    SignatureSpent,
    SignatureUse,
    Submission,
)

NOW = 1_795_176_000_000
ROUTE = "POST /v1/conversions"


def guards(signature: str | None = None, key: str | None = None, fingerprint: str = "f") -> RequestGuards:
    return RequestGuards(
        "acc_1",
        None if signature is None else SignatureUse("acc_1", 1_795_176_000, signature),
        None if key is None else IdempotencyUse(ROUTE, key, fingerprint),
    )


def order(number: int = 1, by: RequestGuards | None = None, **body: Any) -> Submission:
    said = {"externalOrderId": f"O-{number}", "orderAmount": "49.90", **body}
    return Submission(
        by or guards(), "conversion", None, "order", f"O-{number}", f"evt_{number}", f"cnv_{number}", f"O-{number}",
        None, orjson.dumps(said).decode(), NOW - 5,
    )  # fmt: skip


def webhook(number: int = 1) -> Submission:
    return Submission(
        guards(), "webhook", "order.created", "webhook", f"W-{number}", f"evt_w{number}", None, None, f"W-{number}",
        "{}", NOW - 5, "con_1", "orders/create", '{"X-Topic":"orders/create"}',
    )  # fmt: skip


def planned(*items: Item, state: IntakeState | None = None) -> IntakePlan:
    return plan_batch(items, state or IntakeState(), NOW)


def test_the_rows_of_a_plan_are_inserted_by_the_statement_of_their_table() -> None:
    """The time before which answers are replaced (0 is one, too) goes with the answers."""
    plan = planned(order(1, guards("s1", "key-1")), order(1))
    by_kind: dict[str, dict[str, Any]] = {
        "spend_signatures": {"uses": plan.signatures},
        "claim_keys": {"claims": plan.claims},
        "insert_events": {"events": plan.events},
        "insert_payloads": {"payloads": plan.payloads},
        "note_repeated_reports": {"reports": plan.repeats},
        "store_answers": {"answers": plan.answers, "cutoff": 0},
    }
    assert all(rows for values in by_kind.values() for name, rows in values.items() if name != "cutoff")
    assert dict(plan.rows(0).calls) == by_kind
    assert list(dict(planned(webhook()).rows(NOW).calls)) == ["claim_keys", "insert_events", "insert_payloads"]
    assert planned().rows(NOW).calls == []


def test_a_new_order_is_a_claim_an_event_a_body_a_spent_signature_and_an_answer() -> None:
    plan = planned(order(1, guards("s1", "key-1")))
    accepted = Accepted("evt_1", "RECEIVED", False, "cnv_1", False)
    assert plan == IntakePlan(
        [accepted],
        [SignatureUse("acc_1", 1_795_176_000, "s1")],
        [ClaimRow("acc_1", "order", "O-1", "evt_1", "cnv_1")],
        [EventRow("acc_1", "evt_1", "conversion", None, "RECEIVED", None, "O-1", "cnv_1", NOW - 5, None, None)],
        [PayloadRow("acc_1", "evt_1", '{"externalOrderId":"O-1","orderAmount":"49.90"}', NOW - 5, None)],
        [AnswerRow("acc_1", ROUTE, "key-1", "f", 202, accepted.body.decode(), NOW)],
        [],
    )


def test_a_webhook_keeps_its_connection_topic_and_headers() -> None:
    plan = planned(webhook())
    assert plan.results == [Accepted("evt_w1", "QUEUED", False, None, True)]
    assert plan.events == [
        EventRow("acc_1", "evt_w1", "webhook", "order.created", "QUEUED", "W-1", None, None, NOW - 5, "con_1",
                 "orders/create")
    ]  # fmt: skip
    assert plan.payloads == [PayloadRow("acc_1", "evt_w1", "{}", NOW - 5, '{"X-Topic":"orders/create"}')]


def test_a_request_without_a_key_or_a_signature_leaves_rows_of_neither() -> None:
    plan = planned(order())
    assert (plan.signatures, plan.answers) == ([], [])


def test_rows_with_a_key_come_in_its_order_and_the_others_as_they_arrived() -> None:
    plan = planned(order(2, guards("s2", "key-2")), order(1, guards("s1", "key-1")))
    assert [row.signature for row in plan.signatures] == ["s1", "s2"]
    assert [row.claim_key for row in plan.claims] == ["O-1", "O-2"]
    assert [row.idempotency_key for row in plan.answers] == ["key-1", "key-2"]
    assert [row.event_id for row in plan.events] == ["evt_2", "evt_1"]


class TestSignatures:
    def test_one_is_spent_once_within_a_batch(self) -> None:
        plan = planned(order(1, guards("s1")), order(2, guards("s1")), order(3, guards("s3")))
        assert plan.results[1] == SignatureReused()
        assert [row.event_id for row in plan.events] == ["evt_1", "evt_3"]
        assert len(plan.signatures) == 2

    def test_one_that_the_store_knows_does_nothing(self) -> None:
        state = IntakeState(signatures={SignatureUse("acc_1", 1_795_176_000, "s1")})
        assert planned(order(1, guards("s1", "key-1")), state=state) == IntakePlan([SignatureReused()], *[[]] * 6)

    def test_that_of_a_refused_request_is_spent_too(self) -> None:
        plan = planned(RefusedRequest(guards("s1")))
        assert plan == IntakePlan([SignatureSpent()], [SignatureUse("acc_1", 1_795_176_000, "s1")], *[[]] * 5)
        assert planned(RefusedRequest(guards("s1")), order(1, guards("s1"))).results[1] == SignatureReused()


class TestKeys:
    def test_a_stored_answer_is_given_again_and_nothing_is_kept_but_the_signature(self) -> None:
        state = IntakeState(answers={("acc_1", ROUTE, "key-1"): StoredAnswer("f", 202, '{"eventId":"evt_0"}')})
        plan = planned(order(1, guards("s1", "key-1")), state=state)
        assert plan.results == [Replayed(202, b'{"eventId":"evt_0"}')]
        assert len(plan.signatures) == 1
        assert (plan.claims, plan.events, plan.payloads, plan.answers) == ([], [], [], [])

    def test_another_request_under_a_stored_key_is_a_mismatch(self) -> None:
        state = IntakeState(answers={("acc_1", ROUTE, "key-1"): StoredAnswer("f", 202, "{}")})
        assert planned(order(1, guards(None, "key-1", "other")), state=state).results == [Mismatch()]

    def test_the_same_request_in_one_batch_is_in_flight_and_another_one_a_mismatch(self) -> None:
        first, same, other = (order(n, guards(None, "key-1", f)) for n, f in ((1, "f"), (2, "f"), (3, "g")))
        plan = planned(first, same, other)
        assert plan.results[1:] == [InFlight(), Mismatch()]
        assert [row.event_id for row in plan.events] == ["evt_1"]
        assert len(plan.answers) == 1

    def test_one_that_is_not_there_has_no_row(self) -> None:
        with pytest.raises(TypeError):
            answer_row(guards(), Answer(202, b"{}"), NOW)


class TestClaims:
    def test_an_order_that_is_known_is_a_duplicate_of_its_first_report(self) -> None:
        state = IntakeState(claims={("acc_1", "order", "O-1"): ClaimOwner("evt_0", "cnv_0")})
        plan = planned(order(1, guards(None, "key-1")), state=state)
        duplicate = Accepted("evt_0", "DUPLICATE", True, "cnv_0", False)
        assert plan.results == [duplicate]
        assert (plan.claims, plan.events, plan.payloads) == ([], [], [])
        assert plan.answers[0].body == duplicate.body.decode()

    def test_so_is_one_that_stands_earlier_in_the_batch(self) -> None:
        plan = planned(order(1), order(1)._replace(event_id="evt_9", conversion_id="cnv_9"))
        assert plan.results[1] == Accepted("evt_1", "DUPLICATE", True, "cnv_1", False)
        assert len(plan.events) == len(plan.repeats) == 1

    def test_a_repeated_webhook_is_a_duplicate_and_no_repeated_report(self) -> None:
        plan = planned(webhook(), webhook())
        assert plan.results[1] == Accepted("evt_w1", "DUPLICATE", True, None, True)
        assert plan.repeats == []

    def test_a_repeat_keeps_what_it_said_and_nothing_that_it_did_not(self) -> None:
        said: dict[str, Any] = {
            "currency": "EUR", "clickId": "clk_1", "orderedAt": "2026-11-20T12:00:00Z", "orderStatus": "paid",
            "couponCode": "TEN", "externalProductId": "p1", "metadata": {"name": "Ada"},
        }  # fmt: skip
        plan = planned(order(1), order(1, **said)._replace(event_id="evt_9"))
        (repeat,) = plan.repeats
        report = orjson.loads(repeat.report)
        assert repeat._replace(report="") == RepeatRow(
            "acc_1", "evt_9", "O-1", "49.90", "EUR", NOW - 5, "clk_1", 1_795_176_000_000, ""
        )
        assert report == {"orderAmount": "49.90", **{key: said[key] for key in said if key != "metadata"}}

    def test_a_repeat_that_says_little_leaves_the_rest_out(self) -> None:
        plan = planned(order(1), order(1, clickId="")._replace(external_order_id=None))
        assert plan.repeats == [
            RepeatRow("acc_1", "evt_1", "", "49.90", None, NOW - 5, None, None, '{"orderAmount":"49.90","clickId":""}')
        ]
