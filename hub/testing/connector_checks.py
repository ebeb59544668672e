"""The rules over one sample, each as a function that returns a sentence for every breach.

`connector_suite` runs them under pytest, `hub plugin check` at the command line; the rules need neither.
"""

from __future__ import annotations

import copy
import difflib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import attrs
from attrs import evolve, frozen

from hub.api import parse_body, storable
from hub.domain.connectors.connector import Connector, Context, FieldPlace, SecretHeader, TimestampHmac, Unmappable
from hub.domain.connectors.deliveries import genuine, value_at
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.options import read_options
from hub.domain.connectors.scenes import signed_headers
from hub.domain.orders.facts import CREATED_KEY, Fact, OrderCreated, OrderSnapshot
from hub.testing.outcomes import RECEIVED_AT, Outcome, context_of, outcome_of
from hub.testing.samples import Sample, is_kind
from hub.testing.signed_tokens import public_pem, token
from hub.testing.watch import watched

SECRET: Final = "5a" * 32
"""A secret that is text and hex alike."""


def check_signature(connector: Connector, sample: Sample) -> list[str]:
    """Check that the signed sample is accepted; with one flipped byte, another secret or no proof it is refused."""
    if connector.auth is None or is_kind(connector, sample.topic):
        return []
    auth, raw = connector.auth, sample.raw
    if isinstance(auth, JwtBody):
        return _token_faults(auth, raw)
    sent = signed_headers(auth, SECRET, raw, RECEIVED_AT, "sample-1")
    headers = {name.lower(): value for name, value in sent.items()}
    given, secrets = sent[auth.header], [b"c3" * 32, SECRET.encode()]

    def accepted(given: str, raw: bytes, secrets: Sequence[bytes] = secrets, now: int = RECEIVED_AT) -> bool:
        return genuine(auth, secrets, given, raw, headers, now)

    faults = [] if accepted(given, raw) else ["the signed sample is refused"]
    if not isinstance(auth, SecretHeader):
        flipped = [raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for at in (0, len(raw) // 2, len(raw) - 1)]
        faults += ["a body with one flipped byte is accepted" for body in flipped if accepted(given, body)]
    faults += ["a wrong proof is accepted" for wrong in (given[:-2] + "xx", "") if accepted(wrong, raw)]
    faults += ["another secret is accepted" for others in ([], [b"c3" * 32]) if accepted(given, raw, others)]
    if isinstance(auth, TimestampHmac) and accepted(given, raw, now=RECEIVED_AT + 86_400_000):
        faults.append("a signature of yesterday is accepted")
    return faults


def _token_faults(auth: JwtBody, raw: bytes) -> list[str]:
    """Return where a token with a sample's claims is wrongly taken or refused, by keys that are made for the run."""
    ends = RECEIVED_AT // 1000 + 300
    claims = json.dumps({**json.loads(raw), "exp": ends}).encode()
    signed, keys = token(claims), [public_pem()]

    def accepted(raw: bytes, keys: Sequence[bytes] = keys, now: int = RECEIVED_AT) -> bool:
        return genuine(auth, keys, "", raw, {}, now)

    wrong = {
        "a token with other claims is accepted": [signed.replace(b".", b".e", 1), token(claims, head={"alg": "none"})],
        "a token of another key is accepted": [token(claims, "another")],
    }
    faults = [] if accepted(signed) else ["the signed sample is refused"]
    faults += [fault for fault, tokens in wrong.items() for each in tokens if accepted(each)]
    faults += ["a token is accepted without its key"] * accepted(signed, [])
    return faults + ["a token of yesterday is accepted"] * accepted(signed, now=RECEIVED_AT + 86_400_000)


def check_golden(connector: Connector, sample: Sample) -> list[str]:
    """Check that the sample states the facts of its golden file."""
    stated = outcome(connector, sample).text()
    if not sample.golden.is_file():
        return [f"{sample.golden.name} is missing; `hub plugin check --accept {connector.name}` writes it"]
    due = sample.golden.read_text("utf-8")
    if stated == due:
        return []
    lines = difflib.unified_diff(due.splitlines(), stated.splitlines(), "golden", "stated", n=1, lineterm="")
    return ["the facts are not those of the golden file:\n" + "\n".join(lines)]


def check_repetition(connector: Connector, sample: Sample) -> list[str]:
    """Check that the same body, later and under another delivery id, states the same facts.

    A key may hold the delivery's id ("refund@...") if the platform gives the thing none of its own.
    """
    body, context = _read(connector, sample)
    first = outcome_of(connector, sample.topic, body, context)
    again = outcome_of(connector, sample.topic, body, evolve(context, received_at=RECEIVED_AT + 86_400_000))
    other = outcome_of(connector, sample.topic, body, evolve(context, delivery_id="sample-2"))
    faults = []
    if keys(first.facts) != keys(again.facts):
        faults.append(f"received a day later it has other keys: {_difference(first, again)}")
    elif first != again:
        faults.append("received a day later it states other values under the same keys; a time of receipt is no moment")
    if [key.replace("sample-1", "sample-2") for key in keys(first.facts)] != keys(other.facts):
        faults.append(f"under another delivery id it has other keys: {_difference(first, other)}")
    if len(set(keys(first.facts))) != len(first.facts):
        faults.append(f"it states one key twice: {keys(first.facts)}")
    return faults


def check_purity(connector: Connector, sample: Sample) -> list[str]:
    """Check that translating twice gives the same and changes no input, without files, sockets, clock or chance."""
    body, context = _read(connector, sample)
    before = copy.deepcopy((body, dict(context.headers)))
    first = outcome_of(connector, sample.topic, body, context)
    with watched() as seen:
        second = outcome_of(connector, sample.topic, body, context)
    faults = [f"translating {event}" for event in dict.fromkeys(seen)]
    if first != second:
        faults.append("translating twice gives two outcomes")
    if before != (body, dict(context.headers)):
        faults.append("translating changes the body or the headers that it was given")
    return faults


def check_facts(connector: Connector, sample: Sample) -> list[str]:
    """Every value of every fact is of its declared type and can be stored."""
    return [fault for fact in outcome(connector, sample).facts for fault in fact_faults(fact)]


def _asked_topics(connector: Connector) -> frozenset[str]:
    """Return the topics of bodies that the hub asks for, which no delivery names."""
    asked = connector.requests
    found = (asked.orders, asked.order, asked.products, asked.product) if asked is not None else ()
    return frozenset(each.topic for each in found if each is not None)


def check_place(connector: Connector, sample: Sample) -> list[str]:
    """Check that the sample is in the folder of a topic that the connector knows and the body states."""
    if is_kind(connector, sample.topic):
        recognised = connector.recognises(parse_body(sample.raw))
        return [] if recognised else ["`recognises` does not know the body, so a v1 webhook of it would go elsewhere"]
    faults = []
    if all(topic.name != sample.topic for topic in connector.topics):
        faults.append(f"the connector has no topic {sample.topic!r}")
    if isinstance(connector.topic, FieldPlace):
        said = value_at(connector.topic, sample.headers, parse_body(sample.raw))
        asked_for = said is None and sample.topic in _asked_topics(connector)
        if said != sample.topic and not asked_for:
            faults.append(f"its folder says {sample.topic!r}, its body {said!r}")
    return faults


def missing_samples(connector: Connector, samples: Sequence[Sample]) -> list[str]:
    """Return a sentence for each topic that no sample shows."""
    shown = {sample.topic for sample in samples}
    if not samples:
        return ["there are no samples; put real bodies under samples/<topic>/ in the package"]
    return [f"no sample shows the topic {topic.name!r}" for topic in connector.topics if topic.name not in shown]


def missing_snapshots(connector: Connector, samples: Sequence[Sample], excused: Mapping[str, str]) -> list[str]:
    """Return a sentence for each topic that states orders and never what they are by now, so that no edit counts.

    `excused` are the topics whose orders never change, each with the reason.
    """
    faults = []
    for topic in sorted({sample.topic for sample in samples if not is_kind(connector, sample.topic)}):
        facts = [fact for sample in samples if sample.topic == topic for fact in outcome(connector, sample).facts]
        states = any(isinstance(fact, OrderCreated) for fact in facts)
        again = any(isinstance(fact, OrderSnapshot) for fact in facts)
        if states and not again and topic not in excused:
            faults.append(
                f"the topic {topic!r} states OrderCreated and never OrderSnapshot, so what the shop edits never "
                f"counts; if its orders never change, list {topic!r} under [snapshots] in samples/exceptions.toml"
            )
        if again and topic in excused:
            faults.append(f"the topic {topic!r} states OrderSnapshot, but is listed under [snapshots]")
    return faults


def outcome(connector: Connector, sample: Sample) -> Outcome:
    """Return what the sample states."""
    try:
        body, context = _read(connector, sample)
    except Unmappable as reason:
        return Outcome(refusal="unmappable", sentence=str(reason))
    return outcome_of(connector, sample.topic, body, context)


def keys(facts: Sequence[Fact]) -> list[str]:
    """Return the facts' keys with what they are about, sorted."""
    return sorted(f"{type(fact).__name__} {subject(fact)} {fact.key}" for fact in facts)


def subject(fact: Fact) -> str:
    """Return the order, product or inventory item that a fact is about; empty if it is about none."""
    names = ("order_id", "external_product_id", "item_id")
    return next((str(value) for name in names if (value := getattr(fact, name, None))), "")


def fact_faults(fact: Fact) -> Iterator[str]:
    """Yield what the hub could not keep of a fact."""
    name = type(fact).__name__
    if not isinstance(fact.key, str) or not fact.key:
        yield f"{name} has the key {fact.key!r}"
    if isinstance(fact, OrderCreated) and fact.key != CREATED_KEY:
        yield f"{name} has the key {fact.key!r}, not CREATED_KEY"
    if not subject(fact):
        yield f"{name} is about nothing"
    for place, value in _values(fact, name):
        if isinstance(value, float):
            yield f"{place} is a float; money is Decimal, times are int"
        elif isinstance(value, Decimal) and not value.is_finite():
            yield f"{place} is {value}"
        elif isinstance(value, str) and not _can_be_stored(value):
            yield f"{place} holds U+0000 or half a surrogate pair; `hub.api.storable` refuses such texts"
        elif isinstance(value, int) and abs(value) >= 2**63:
            yield f"{place} is too large to be stored"


def _values(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            # Metadata is kept as JSON, where floats are at home.
            if field.name != "metadata":
                yield from _values(getattr(value, field.name), f"{place}.{field.name}")
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _values(inner, f"{place}.{name}")
    elif isinstance(value, tuple | list):
        for number, inner in enumerate(value):
            yield from _values(inner, f"{place}[{number}]")
    else:
        yield place, value


def _can_be_stored(text: str) -> bool:
    try:
        storable(text)
    except Unmappable:
        return False
    return True


def _read(connector: Connector, sample: Sample) -> tuple[dict[str, Any], Context]:
    return parse_body(sample.raw), context_of(sample, read_options(connector.options, sample.options))


def _difference(first: Outcome, second: Outcome) -> str:
    return ", ".join(sorted(set(keys(first.facts)) ^ set(keys(second.facts)))) or "one was refused"


@frozen
class Rule:
    """One rule over a sample, by the name that a report shows."""

    name: str
    check: Callable[[Connector, Sample], list[str]]


RULES: Final = (
    Rule("place", check_place),
    Rule("signature", check_signature),
    Rule("golden", check_golden),
    Rule("repetition", check_repetition),
    Rule("purity", check_purity),
    Rule("facts", check_facts),
)
"""The rules over the form of one sample; `connector_plausibility` has those over what it says."""
