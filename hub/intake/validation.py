"""Strict validation of the v1 bodies and queries: a typed input, or every fault at once (API specification, Errors).

The way of a valid body is one generated reader; only a body that fails is walked again to name all that is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from hub.domain.records import record
from hub.intake.body import Invalid, Malformed, check_content, read_object, shown_name
from hub.intake.checks import CHECKS, UNREADABLE, Check, Problem, date_problems, price_problems
from hub.intake.constraints import Fault, Whole
from hub.intake.inputs import MerchantTerms, ProductChange, ProductInput, ProductPatch
from hub.intake.plan import plan_of

__all__ = [
    "Invalid", "Malformed", "Valid", "date_faults", "faults_of", "price_faults", "read_input", "read_object",
    "sentence", "unknown_names", "validate", "validate_query",
]  # fmt: skip

T = TypeVar("T")

MOST_UNKNOWN = 50
_NO_TERMS = MerchantTerms(currency="", domains=())
_whole_number = re.compile(r"-?[0-9]{1,18}").fullmatch


@record
class Valid(Generic[T]):
    """A typed input, and the names of the fields that were ignored (at most 50), for the request log."""

    value: T
    unknown_fields: tuple[str, ...] = ()


def validate(cls: type[T], raw: bytes | dict[str, Any], merchant: MerchantTerms) -> Valid[T]:
    """Reads a body (bytes as received, or a parsed object such as a CSV row) as `cls`.

    Raises `Invalid`, or its kind `Malformed` where the bytes are no JSON, with every fault of the body.
    """
    if isinstance(raw, dict):
        check_content(raw)
        body = raw
    else:
        body = read_object(raw)
    return Valid(read_input(cls, body, merchant, CHECKS.get(cls)), unknown_names(cls, body))


def validate_query(cls: type[T], pairs: Iterable[tuple[str, str]]) -> Valid[T]:
    """Reads the parameters of a query string as `cls`; raises `Invalid` with every fault."""
    pairs = list(pairs)
    plan = plan_of(cls)
    query: dict[str, Any] = dict(pairs)
    check_content(query)
    twice = [wire for wire, times in Counter(wire for wire, _ in pairs).items() if times > 1 and wire in plan.names]
    for field in plan.fields:
        text = query.get(field.wire)
        if text is not None and isinstance(field.constraint, Whole) and _whole_number(text):
            query[field.wire] = int(text)
    if twice:
        faults = [sentence("", (wire, "must be given once")) for wire in twice]
        raise Invalid([*faults, *faults_of(cls, query, _NO_TERMS, None)])
    return Valid(read_input(cls, query, _NO_TERMS, None), unknown_names(cls, query))


def read_input(cls: type[T], body: dict[str, Any], merchant: MerchantTerms, check: Check | None, prefix: str = "") -> T:
    """Reads an object whose content was checked already; paths in the faults begin with `prefix`. Raises `Invalid`."""
    try:
        value: T = plan_of(cls).read(body)
    except (Fault, KeyError):
        pass
    else:
        if check is None or not check(value, merchant):
            return value
    raise Invalid(faults_of(cls, body, merchant, check, prefix))


def faults_of(
    cls: type, body: Mapping[str, Any], merchant: MerchantTerms, check: Check | None, prefix: str = ""
) -> list[str]:
    """Every fault of a body: field by field, then those between the fields that could be read."""
    problems: list[Problem] = []
    plan = plan_of(cls)
    values: dict[str, Any] = {"present": plan.present(body)}
    for field in plan.fields:
        if field.wire not in body:
            values[field.name] = UNREADABLE if field.required else None
            if field.required:
                problems.append((field.wire, "must be given"))
            continue
        try:
            values[field.name] = field.read(body[field.wire])
        except Fault as fault:
            values[field.name] = UNREADABLE
            problems.extend((field.wire + below, text) for below, text in fault.problems)
    if check is not None:
        problems.extend(check(SimpleNamespace(**values), merchant))
    return [sentence(prefix, problem) for problem in problems]


def unknown_names(cls: type, body: Mapping[str, Any], prefix: str = "") -> tuple[str, ...]:
    """The names of the fields that `cls` does not know, at most 50 of them."""
    names = plan_of(cls).wires
    if names.issuperset(body):
        return ()
    unknown = (prefix + shown_name(name) for name in body if name not in names)
    return tuple(islice(unknown, MOST_UNKNOWN))


def price_faults(product: ProductInput | ProductPatch | ProductChange, currency: str) -> list[str]:
    """What is wrong with the prices that are given, once the product's own currency is known."""
    return [sentence("", problem) for problem in price_problems(product, currency)]


def date_faults(start_date: int | None, end_date: int | None) -> list[str]:
    """What is wrong with a campaign's dates (milliseconds UTC) once a patch is laid over the stored ones."""
    return [sentence("", problem) for problem in date_problems(start_date, end_date)]


def sentence(prefix: str, problem: Problem) -> str:
    """A fault as it is told: "`products[3].price` must be ..."."""
    wire, text = problem
    return f"`{prefix}{wire}` {text}"
