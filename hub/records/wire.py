"""How a record is written for others: members in camelCase, moments as RFC 3339 text, absent ones left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

import attrs
import orjson
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from hub.domain.instants import format_instant, instant_or_none, parse_instant
from hub.records.record import UNSAID, Member, Pick, Sent, Shown, members_of, metadata_of
from hub.validation.constraints import Instant

Writer = Callable[[Any], Any]
"""Writes a value of some type as JSON's own types."""

PLAIN: Final = (str, int, bool, NoneType)

_converter: Final = Converter()
_AS_IT_IS: Final = _converter.get_unstructure_hook(str)
"""Returns a value as it is; what cattrs generates knows it, and does not call it."""


def write(value: Any, shown: Pick | None = None) -> Any:
    """Return a record, or any value that holds records, as JSON's own types; with a pick only what it shows.

    What is stored as it is told is a mapping already, by the names on the wire.
    """
    if shown is None:
        return _converter.unstructure(value)
    if isinstance(value, Mapping):
        told = members_of(shown)
        return {each.wire: value[each.wire] for each in told if not each.optional or each.wire in value}
    return {
        member.wire: written
        for member, hook in _hooks(shown)
        if (written := hook(getattr(value, member.name))) is not None or not member.optional
    }


def encode(value: Any, shown: Pick | None = None) -> bytes:
    """Return the JSON bytes of a record, or of a document that holds records."""
    return orjson.dumps(value if shown is None else write(value, shown), default=write)


def example_of(shown: Shown, **differs: Any) -> dict[str, Any]:
    """Return an example of what is shown, made of its members' examples but for those that differ; null without one."""
    return {
        member.wire: differs.get(member.wire, _example(member))
        for member in members_of(shown)
        if member.wire in differs or not member.optional
    }


def _example(member: Member) -> Any:
    example = member.note.example
    if example in (UNSAID, ""):
        return None
    if member.note.format == "date-time":
        return format_instant(parse_instant(example))
    return list(example) if isinstance(example, tuple) else example


def _is_moment(hint: Any) -> bool:
    return hasattr(hint, "__metadata__") and any(isinstance(each, Instant) for each in metadata_of(hint))


def _is_sent(hint: Any) -> bool:
    return hasattr(hint, "__metadata__") and any(isinstance(each, Sent) for each in hint.__metadata__)


def _is_plain(hint: Any) -> bool:
    """Return whether a type's values, or null in their place, are JSON's own already, so that no hook is called."""
    if hasattr(hint, "__metadata__"):
        return not _is_moment(hint) and _is_plain(hint.__origin__)
    if get_origin(hint) in (Union, UnionType, dict):
        return all(map(_is_plain, get_args(hint)))
    return get_origin(hint) is Literal or hint in PLAIN


def _of_class(cls: type) -> Writer:
    names = {each.name: override(rename=each.wire, omit_if_default=each.optional) for each in members_of(cls)}
    return make_dict_unstructure_fn(cls, _converter, **names)  # type: ignore[arg-type]  # members, not options


@cache
def _hooks(shown: Pick) -> tuple[tuple[Member, Writer], ...]:
    return tuple((member, _converter.get_unstructure_hook(member.hint)) for member in members_of(shown))


_converter.register_unstructure_hook_factory(attrs.has, _of_class)
_converter.register_unstructure_hook_func(_is_sent, _AS_IT_IS)
_converter.register_unstructure_hook_func(_is_plain, _AS_IT_IS)
_converter.register_unstructure_hook_func(_is_moment, instant_or_none)
