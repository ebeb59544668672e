"""Read bodies and queries as an act declares them; every fault of an input is named at once, an unknown name too.

A parameter has the name that the merchant API has for it; the older names are taken as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from hub.acts.fields import Fields, snake
from hub.domain.deprecations import Deprecation
from hub.http.errors import invalid
from hub.validation.constraints import Constraint, Fault, Flag, Whole
from hub.validation.json_body import shown_name as presented
from hub.validation.unknown_names import refusals_of
from hub.validation.validate import Invalid, Malformed, read_object

OLDER_NAMES: Final = Deprecation(date(2026, 11, 23), "The parameters are called as in every other API.")
NAMES: Final = {"state": "status", "affiliate": "affiliateId", "merchant": "merchantId", "campaign": "campaignId"}
"""The names of parameters in every API, by the older ones of the operators' and the affiliates' APIs."""


def shown_name(fields: Fields, name: str) -> str:
    """Return how a parameter is called in every API, unless the act has another one of that name."""
    newer = NAMES.get(name, name)
    return name if newer in fields else newer


def has_older_name(fields: Fields, names: Iterable[str]) -> bool:
    """Return whether a query names a parameter as it was once called."""
    return any(name in fields and shown_name(fields, name) != name for name in names)


def read_body(fields: Fields, raw: bytes) -> dict[str, Any]:
    """Return the members that were given, in snake_case; raise the 400 that lists every fault."""
    if not fields and not raw:
        return {}
    try:
        given = read_object(raw) if raw or any(each.required for each in fields.values()) else {}
    except Invalid as fault:
        raise invalid(fault.faults, "malformed_json" if isinstance(fault, Malformed) else "validation_failed") from None
    return _read(fields, given)


def read_query(fields: Fields, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the parameters that were given, in snake_case; raise the 400 that lists every fault."""
    older = {shown_name(fields, name): name for name in fields}
    listed = [(older.get(name, name), text) for name, text in pairs]
    twice = sorted({name for name, _ in listed if name in fields and [n for n, _ in listed].count(name) > 1})
    if twice:
        raise invalid([f"`{shown_name(fields, name)}` must be given once" for name in twice])
    unstorable = [name for name, text in listed if name in fields and "\x00" in text]
    if unstorable:
        raise invalid([f"`{name}` must not hold U+0000" for name in unstorable])
    given = {name: _typed(fields[name].constraint, text) if name in fields else text for name, text in listed}
    return _read(fields, given, {name: shown_name(fields, name) for name in fields})


def _typed(constraint: Constraint, text: str) -> Any:
    """Return what a text of a query means for its constraint: a number or a boolean, if it is one."""
    if isinstance(constraint, Whole) and text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    if isinstance(constraint, Flag):
        return {"true": True, "false": False}.get(text, text)
    return text


def _read(fields: Fields, given: Mapping[str, Any], names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the values; `names` are those of the fields on the wire, if they have others."""
    names = names or {name: name for name in fields}
    values: dict[str, Any] = {}
    faults = refusals_of((presented(name) for name in given if name not in names), names.values())
    for name, member in fields.items():
        value = given.get(name)
        if value is None:
            if member.required:
                faults.append(f"`{names[name]}` must be given")
            continue
        try:
            values[snake(name)] = member.constraint.read(value)
        except Fault as fault:
            faults += [f"`{names[name]}{below}` {text}" for below, text in fault.problems]
    if faults:
        raise invalid(faults)
    return values
