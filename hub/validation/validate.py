"""Strict validation of the v1 bodies and queries: a typed input, or every fault at once (API specification, Errors)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar

from hub.validation.constraints import Whole
from hub.validation.cross_field_rules import RULES, CrossFieldRule, date_problems, price_problems
from hub.validation.input_reader import Problem, reader_of
from hub.validation.inputs import MerchantTerms, ProductChange, ProductInput, ProductPatch
from hub.validation.json_body import Invalid, Malformed, check_content, read_object, shown_name
from hub.validation.unknown_names import refusals_of

__all__ = [
    "Invalid", "Malformed", "Valid", "date_faults", "faults_of", "price_faults", "read_input", "read_object",
    "sentence", "shown_names", "validate", "validate_query",
]  # fmt: skip

T = TypeVar("T")

MOST_UNKNOWN = 50
_NO_TERMS = MerchantTerms(currency="", domains=())
_whole_number = re.compile(r"-?[0-9]{1,18}").fullmatch


class Valid(NamedTuple, Generic[T]):
    """A typed input, and the names of the fields that were ignored (at most 50), for the request log."""

    value: T
    unknown_fields: tuple[str, ...] = ()


def validate(cls: type[T], raw: bytes | dict[str, Any], merchant: MerchantTerms, *, strict: bool = False) -> Valid[T]:
    """Read a body (bytes as received, or a parsed object such as a CSV row) as `cls`.

    An unknown field is ignored and named beside the input; if `strict`, it is a fault. Raises `Invalid`, or its
    subclass `Malformed` if the bytes are not JSON, with every fault of the body.
    """
    if isinstance(raw, dict):
        check_content(raw)
        body = raw
    else:
        body = read_object(raw)
    return read_input(cls, body, merchant, RULES.get(cls), strict=strict)


def validate_query(cls: type[T], pairs: Iterable[tuple[str, str]]) -> Valid[T]:
    """Read the parameters of a query string as `cls`; raise `Invalid` with every fault."""
    pairs = list(pairs)
    known = reader_of(cls).by_wire
    query: dict[str, Any] = dict(pairs)
    check_content(query)
    twice = [wire for wire, times in Counter(wire for wire, _ in pairs).items() if times > 1 and wire in known]
    for wire, text in query.items():
        if wire in known and isinstance(known[wire].constraint, Whole) and _whole_number(text):
            query[wire] = int(text)
    if twice:
        faults = [sentence("", (wire, "must be given once")) for wire in twice]
        raise Invalid([*faults, *faults_of(cls, query, _NO_TERMS, None)])
    return read_input(cls, query, _NO_TERMS, None)


def read_input(
    cls: type[T],
    body: Mapping[str, Any],
    merchant: MerchantTerms,
    rule: CrossFieldRule | None,
    prefix: str = "",
    *,
    strict: bool = False,
) -> Valid[T]:
    """Read an object whose content was checked already; paths in the faults begin with `prefix`. Raises `Invalid`."""
    reader = reader_of(cls)
    values, problems, unknown = reader.read(body)
    refused = refusals_of(shown_names(unknown, prefix), reader.by_wire) if strict and unknown else []
    if not problems:
        value = cls(**values)
        problems = [] if rule is None else list(rule(value, merchant))
        if not problems and not refused:
            return Valid(value, shown_names(unknown, prefix) if unknown else ())
    elif rule is not None:
        problems.extend(rule(SimpleNamespace(**reader.with_defaults(values)), merchant))
    raise Invalid([*(sentence(prefix, problem) for problem in problems), *refused])


def faults_of(
    cls: type, body: Mapping[str, Any], merchant: MerchantTerms, rule: CrossFieldRule | None, prefix: str = ""
) -> list[str]:
    """Return every fault of a body: field by field, then those between the fields that could be read."""
    try:
        read_input(cls, body, merchant, rule, prefix)
    except Invalid as invalid:
        return invalid.faults
    return []


def shown_names(names: Iterable[str], prefix: str = "") -> tuple[str, ...]:
    """Return the names of unknown fields as the request log shows them, at most 50 of them."""
    return tuple(prefix + shown_name(name) for name in islice(names, MOST_UNKNOWN))


def price_faults(product: ProductInput | ProductPatch | ProductChange, currency: str) -> list[str]:
    """Return what is wrong with the prices that are given, once the product's own currency is known."""
    return [sentence("", problem) for problem in price_problems(product, currency)]


def date_faults(start_date: int | None, end_date: int | None) -> list[str]:
    """Return what is wrong with a campaign's dates (milliseconds UTC) once a patch is laid over the stored ones."""
    return [sentence("", problem) for problem in date_problems(start_date, end_date)]


def sentence(prefix: str, problem: Problem) -> str:
    """Return a fault as the caller reads it: "`products[3].price` must be ..."."""
    wire, text = problem
    return f"`{prefix}{wire}` {text}"
