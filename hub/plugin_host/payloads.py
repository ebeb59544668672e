"""A delivery's parsed body read into the connector's payload class: unknown fields are ignored, wrong types are named.

A text is a text and a number a number, as in JSON; a Decimal is a number or its decimal text, as platforms write money.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import attrs
from cattrs import Converter, transform_error
from cattrs.cols import list_structure_factory
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn

from hub.domain.connectors.connector import Body, Unmappable

MOST_FAULTS: Final = 5
_LONGEST_NUMBER: Final = 40
_SCALARS: Final = (str, int, float, bool, Decimal, dict, NoneType)


class _Wrong(ValueError):
    """A value of another type than the payload class says; the text completes "`path` ..."."""


def read_payload(payload: type, body: Body) -> Any:
    """Read a body into a payload class (`dict` is the body itself); raise `Unmappable` that names every wrong path.

    A class is an attrs class, and its fields have types: str, int, float, bool, Decimal, dict, another class, a tuple
    of one of them, each possibly None. `field(alias="orderNumber")` names a field as JSON has it. A number or its text
    is a Decimal; every other value has its own type.
    """
    if payload is dict:
        return body
    try:
        return _CONVERTER.structure(body, payload)
    except BaseValidationError as fault:
        faults = transform_error(fault, path="", format_exception=_sentence)
        raise Unmappable("; ".join(_with_path(fault, payload) for fault in faults[:MOST_FAULTS])) from None
    except _Wrong as fault:
        raise Unmappable(f"the body {fault}") from None


def _with_path(fault: str, payload: type) -> str:
    sentence, _, path = fault.rpartition(" @ ")
    return f"`{_as_sent(path.lstrip('.'), payload)}` {sentence}" if path else sentence


def _as_sent(path: str, payload: Any) -> str:
    """Return a path with the names that JSON has for the fields of the classes that it leads through."""
    steps = []
    for step in path.split("."):
        name, bracket, place = step.partition("[")
        inner = _class_in(payload)
        field = None if inner is None else getattr(attrs.fields(inner), name, None)
        steps.append((name if field is None else field.alias) + bracket + place)
        payload = None if inner is None or field is None else get_type_hints(inner)[name]
    return ".".join(steps)


def _class_in(kind: Any) -> Any:
    """Return the payload class in a type such as `tuple[Line, ...] | None`, None if there is none."""
    if isinstance(kind, type) and attrs.has(kind):
        return kind
    return next((found for part in get_args(kind) if (found := _class_in(part)) is not None), None)


def _sentence(fault: BaseException, _: type | None) -> str:
    if isinstance(fault, KeyError):
        return "is missing"
    return str(fault) if isinstance(fault, _Wrong) else "has a value that the connector cannot take"


def _text(value: Any, _: Any = None) -> str:
    if not isinstance(value, str):
        raise _Wrong("must be a text")
    return value


def _truth(value: Any, _: Any = None) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("must be true or false")
    return value


def _whole(value: Any, _: Any = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Wrong("must be a whole number")
    return value


def _float(value: Any, _: Any = None) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise _Wrong("must be a number")
    try:
        return float(value)
    except OverflowError:
        raise _Wrong("must be a number of a usual size") from None


def _decimal(value: Any, _: Any = None) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            number = Decimal(value)
        except InvalidOperation:
            pass
        else:
            if number.is_finite() and "_" not in value:
                return number
    raise _Wrong("must be a number")


def _object(value: Any, _: Any = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong("must be an object")
    return value


def _of_several(value: Any, kind: Any) -> Any:
    """Read a value of one of several scalars: the first of them that it is."""
    for part in get_args(kind):
        if value is None and part is NoneType:
            return None
        if part in _READERS:
            try:
                return _READERS[part](value)
            except _Wrong:
                continue
    raise _Wrong("has another type than it may have")


def _is_scalar_choice(kind: Any) -> bool:
    if get_origin(kind) not in (Union, UnionType):
        return False
    parts = [part for part in get_args(kind) if part is not NoneType]
    return len(parts) > 1 and all((get_origin(part) or part) in _SCALARS for part in parts)


_READERS: Final[Mapping[Any, Any]] = {
    str: _text,
    int: _whole,
    float: _float,
    bool: _truth,
    Decimal: _decimal,
    dict: _object,
}


def _class_reader(kind: Any, converter: Converter) -> Any:
    inner = make_dict_structure_fn(kind, converter)

    def read(value: Any, kind: Any) -> Any:
        return inner(_object(value), kind)

    return read


def _array_reader(kind: Any, converter: Converter) -> Any:
    """Read an array; a text, which Python could walk through too, is not one."""
    made = get_origin(kind)
    listed: Any = list
    inner = list_structure_factory(listed[get_args(kind)[0]], converter)

    def read(value: Any, kind: Any) -> Any:
        if not isinstance(value, list):
            raise _Wrong("must be an array")
        return made(inner(value, kind))

    return read


def _is_array(kind: Any) -> bool:
    if get_origin(kind) is tuple:
        return len(get_args(kind)) == 2 and get_args(kind)[1] is Ellipsis
    return get_origin(kind) is list


def _made() -> Converter:
    converter = Converter(use_alias=True)
    for kind, reader in _READERS.items():
        converter.register_structure_hook(kind, reader)
    converter.register_structure_hook_func(_is_scalar_choice, _of_several)
    converter.register_structure_hook_factory(attrs.has)(_class_reader)
    converter.register_structure_hook_factory(_is_array)(_array_reader)
    return converter


_CONVERTER: Final = _made()
