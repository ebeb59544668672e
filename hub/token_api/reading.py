"""Read bodies and queries as an act declares them; every fault of an input is named at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hub.acts.fields import Fields, snake
from hub.http.errors import invalid
from hub.validation.constraints import Constraint, Fault, Flag, Whole
from hub.validation.validate import Invalid, Malformed, read_object


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
    listed = list(pairs)
    twice = sorted({name for name, _ in listed if name in fields and [n for n, _ in listed].count(name) > 1})
    if twice:
        raise invalid([f"`{name}` must be given once" for name in twice])
    unstorable = [name for name, text in listed if name in fields and "\x00" in text]
    if unstorable:
        raise invalid([f"`{name}` must not hold U+0000" for name in unstorable])
    return _read(fields, {name: _typed(fields[name].constraint, text) for name, text in listed if name in fields})


def _typed(constraint: Constraint, text: str) -> Any:
    """Return what a text of a query means for its constraint: a number or a boolean, if it is one."""
    if isinstance(constraint, Whole) and text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    if isinstance(constraint, Flag):
        return {"true": True, "false": False}.get(text, text)
    return text


def _read(fields: Fields, given: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, member in fields.items():
        value = given.get(name)
        if value is None:
            if member.required:
                faults.append(f"`{name}` must be given")
            continue
        try:
            values[snake(name)] = member.constraint.read(value)
        except Fault as fault:
            faults += [f"`{name}{below}` {text}" for below, text in fault.problems]
    if faults:
        raise invalid(faults)
    return values
