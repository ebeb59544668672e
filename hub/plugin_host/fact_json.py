"""Facts as JSON, strictly typed in both directions: what a plugin states, as it travels out of its process.

Money travels as decimal text. A field of another type than the fact's class declares is a fault of the plugin, and is
found where the plugin runs, so that its sentence can name the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import NoneType, UnionType
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from hub.domain.connectors.connector import Erasure
from hub.domain.orders.facts import (
    FACTS_OF_KIND,
    Fact,
    FetchOrder,
    FetchProduct,
    Line,
    OrderGone,
    OrderSnapshot,
    OrderStateUnknown,
    OrderStatus,
    OrderUnclear,
)

_CLASSES: Final[Mapping[str, type]] = {
    kind.__name__: kind
    for kind in (
        *FACTS_OF_KIND.values(),
        OrderGone,
        OrderSnapshot,
        OrderStateUnknown,
        OrderUnclear,
        OrderStatus,
        FetchOrder,
        FetchProduct,
        Line,
        Erasure,
    )
}
_KIND: Final = "is"

Convert = Callable[[Any], Any]


class WrongValue(TypeError):
    """A value of another type than is due; the text is a sentence without its subject's plugin."""


@frozen
class _Kind:
    """How values of one declared type travel: `to_json` in the plugin's process, `from_json` in the hub's."""

    name: str
    to_json: Convert
    from_json: Convert


def fact_to_json(fact: object) -> dict[str, Any]:
    """Return a fact as a JSON object; raise `WrongValue` for anything else, and for a field of another type."""
    name = type(fact).__name__
    if _CLASSES.get(name) is not type(fact) or isinstance(fact, Line | Erasure):
        raise WrongValue(f"gives a {name} where a fact is due")
    return _to_json(fact)


def fact_from_json(document: Mapping[str, Any]) -> Fact:
    """Return the fact of a JSON object; raise `WrongValue`, KeyError or ValueError if it is not one."""
    return cast("Fact", _from_json(document))


def erasure_to_json(erasure: object) -> dict[str, Any]:
    """Return a privacy request as a JSON object; raise `WrongValue` for anything else."""
    if not isinstance(erasure, Erasure) or erasure.act not in ("report", "redact"):
        raise WrongValue(f"gives a {type(erasure).__name__} where an Erasure that reports or redacts is due")
    return _to_json(erasure)


def erasure_from_json(document: Mapping[str, Any]) -> Erasure:
    """Return the privacy request of a JSON object; raise as `fact_from_json`."""
    return cast("Erasure", _from_json(document))


def _to_json(record: Any) -> dict[str, Any]:
    name = type(record).__name__
    document: dict[str, Any] = {_KIND: name}
    for field, kind in _FIELDS[name].items():
        value = getattr(record, field)
        try:
            document[field] = kind.to_json(value)
        except WrongValue as fault:
            if fault.args:
                raise
            raise WrongValue(f"gives {name}.{field} as {type(value).__name__} where {kind.name} is due") from None
    return document


def _from_json(document: Mapping[str, Any]) -> object:
    name = document[_KIND]
    return _CLASSES[name](**{field: kind.from_json(document[field]) for field, kind in _FIELDS[name].items()})


def _of(kind: type, name: str, read: Convert = lambda value: value) -> _Kind:
    def strictly(value: Any) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise WrongValue
        return read(value)

    return _Kind(name, strictly, strictly)


def _decimal_to_json(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, Decimal | int):
        raise WrongValue
    return str(value)


_SCALARS: Final[Mapping[Any, _Kind]] = {
    str: _of(str, "a text", str.__str__),
    int: _of(int, "a whole number"),
    bool: _of(bool, "True or False"),
    Decimal: _Kind("a Decimal", _decimal_to_json, Decimal),
    Line: _Kind("a Line", lambda value: _to_json(value) if isinstance(value, Line) else _refuse(), _from_json),
}


def _refuse() -> Any:
    raise WrongValue


def _kind(declared: Any) -> _Kind:
    if get_origin(declared) in (Union, UnionType):
        (inner,) = [part for part in get_args(declared) if part is not NoneType]
        return _or_none(_kind(inner))
    if get_origin(declared) is tuple:
        return _several(_kind(get_args(declared)[0]))
    if get_origin(declared) in (Mapping, dict):
        return _of(Mapping, "a mapping", dict)
    return _SCALARS.get(declared, _SCALARS[str])


def _or_none(inner: _Kind) -> _Kind:
    return _Kind(
        f"{inner.name} or None",
        lambda value: None if value is None else inner.to_json(value),
        lambda value: None if value is None else inner.from_json(value),
    )


def _several(inner: _Kind) -> _Kind:
    def each(value: Any) -> list[Any]:
        if not isinstance(value, tuple | list):
            raise WrongValue
        return [inner.to_json(one) for one in value]

    return _Kind(f"a tuple of {inner.name}", each, lambda values: tuple(inner.from_json(one) for one in values))


def _fields_of(kind: type) -> dict[str, _Kind]:
    hints = get_type_hints(kind)
    return {field.name: _kind(hints[field.name]) for field in attrs.fields(kind)}


_FIELDS: Final = {name: _fields_of(kind) for name, kind in _CLASSES.items()}
