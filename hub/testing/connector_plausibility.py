"""Rules over what a sample's facts say: amounts, moments and refusals that no real shop would send.

Golden files cannot see a slip that was there when they were written, these rules can. A sample that breaks one for a
reason of its platform is listed in `samples/exceptions.toml` with that reason, which no `--accept` ever writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final

from hub.domain.connectors.connector import Connector
from hub.domain.connectors.scenes import ORDER_STEPS
from hub.domain.orders.facts import Fact, Line, OrderCreated, OrderRefunded
from hub.testing.connector_checks import Rule, outcome
from hub.testing.outcomes import RECEIVED_AT
from hub.testing.samples import EXCEPTION_KINDS, EXCEPTIONS, SAMPLE_KINDS, Sample, exceptions_of

EARLIEST: Final = 946_684_800_000
"""2000-01-01T00:00:00Z: a shop's time in seconds, read as ms, is in 1970."""
LATEST: Final = RECEIVED_AT + 86_400_000
ROUNDING: Final = Decimal("0.01")
"""How far each line may be off by rounding."""
NAMED: Final = {"scenes": "step", "snapshots": "topic", "signed": "connector"}
"""What an exception names that names no sample."""
MOMENTS: Final = ("ordered_at", "occurred_at", "updated_at")


def check_refusal(connector: Connector, sample: Sample) -> list[str]:
    """Check that the sample states facts, a privacy request or a test; a refusal is listed under [refused]."""
    found = outcome(connector, sample)
    refused = found.refusal is not None and not found.is_test
    if refused and "refused" not in sample.excused:
        mend = f"if it should be, list {sample.place!r} under [refused] in samples/{EXCEPTIONS} with the reason"
        return [f"it is {found.refusal} ({found.sentence}); {mend}"]
    if not refused and "refused" in sample.excused:
        return [f"it is listed under [refused] in samples/{EXCEPTIONS}, but states something"]
    return []


def check_amounts(connector: Connector, sample: Sample) -> list[str]:
    """0 <= amount <= paid total, lines add up to the amount, and a refund gives back no more than was paid."""
    if "amounts" in sample.excused:
        return []
    facts = outcome(connector, sample).facts
    order = next((fact for fact in facts if isinstance(fact, OrderCreated)), None)
    return [fault for fact in facts for fault in _amount_faults(fact, order)]


def check_moments(connector: Connector, sample: Sample) -> list[str]:
    """Every moment is between 2000 and a day from now, and is not the time of receipt."""
    if "moments" in sample.excused:
        return []
    return [
        f"{type(fact).__name__}.{name} is {at}, which {fault}; moments are ms UTC and the platform's own"
        for fact in outcome(connector, sample).facts
        for name in MOMENTS
        if (at := getattr(fact, name, None)) is not None and (fault := _moment_fault(at)) is not None
    ]


def unknown_exceptions(connector: Connector, root: Path, samples: Sequence[Sample]) -> list[str]:
    """Return a sentence for each entry of `exceptions.toml` that excuses nothing, or gives no reason."""
    places = {sample.place for sample in samples}
    known = {
        **dict.fromkeys(SAMPLE_KINDS, places),
        "scenes": set(ORDER_STEPS),
        "snapshots": {topic.name for topic in connector.topics},
        "signed": {connector.name},
    }
    faults = []
    for kind, names in exceptions_of(root).items():
        if kind not in known:
            faults.append(f"{EXCEPTIONS} has [{kind}]; there are {', '.join(EXCEPTION_KINDS)}")
            continue
        what = NAMED.get(kind, "sample")
        faults += [f"{EXCEPTIONS}, [{kind}]: there is no {what} {name!r}" for name in names if name not in known[kind]]
        faults += [f"{EXCEPTIONS}, [{kind}]: {name!r} has no reason" for name, why in names.items() if not why.strip()]
    return faults


def _amount_faults(fact: Fact, order: OrderCreated | None) -> Iterator[str]:
    name = type(fact).__name__
    amount, lines = getattr(fact, "amount", None), getattr(fact, "lines", ())
    negative = [each for each in (amount, *(line.amount for line in lines)) if each is not None and each < 0]
    if negative:
        yield f"{name} has the negative amount {negative[0]}"
    if isinstance(fact, OrderCreated):
        if fact.paid_total is not None and fact.amount > fact.paid_total:
            yield f"{name}.amount is {fact.amount}, more than the buyer paid ({fact.paid_total})"
        yield from _sum_faults(fact.amount, lines)
    elif isinstance(fact, OrderRefunded) and order is not None and amount is not None:
        most = order.amount if order.paid_total is None else order.paid_total
        if amount > most:
            yield f"{name}.amount is {amount}, more than the buyer paid ({most})"


def _sum_faults(amount: Decimal, lines: Sequence[Line]) -> Iterator[str]:
    stated = [line.amount for line in lines if line.amount is not None]
    if len(stated) < len(lines) or not lines:
        return
    total = sum(stated, Decimal(0))
    if abs(total - amount) > ROUNDING * len(lines):
        yield f"OrderCreated.lines add up to {total}, its amount is {amount}"


def _moment_fault(at: int) -> str | None:
    if not EARLIEST <= at <= LATEST:
        return "is not between 2000 and a day from now"
    return "is the time of receipt" if at == RECEIVED_AT else None


PLAUSIBILITY: Final = (
    Rule("refusals", check_refusal),
    Rule("amounts", check_amounts),
    Rule("moments", check_moments),
)
"""The rules over what one sample says."""
