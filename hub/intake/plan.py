"""What an input class asks of a body, read once from its annotations: its fields, their constraints, its reader."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, override

from hub.intake.constraints import Constraint, Fault
from hub.intake.inputs import wire_name

PRESENT = "present"


@frozen
class InputField:
    """One field of an input class: its attribute, its name on the wire, its constraint, and what may be left out.

    `nullable` says that null is taken: it counts as absent, or clears the field where the class `clears`.
    """

    name: str
    wire: str
    constraint: Constraint
    required: bool
    nullable: bool

    def read(self, value: Any) -> Any:
        """The typed value; raises `Fault`."""
        if value is not None:
            return self.constraint.read(value)
        if self.nullable:
            return None
        raise Fault("must not be null")


@frozen(eq=False)
class Plan:
    """An input class made ready: `read` is the fast way for valid bodies, the rest serves to explain a bad one.

    `marks`: its inputs say in `present` which fields were given. `clears`: a null clears, else it is absent.
    """

    cls: type
    fields: tuple[InputField, ...]
    names: Mapping[str, str]
    marks: bool
    clears: bool
    structure: Callable[[Mapping[str, Any], type], Any]

    def read(self, body: Mapping[str, Any]) -> Any:
        """The input; on a bad body it raises the `Fault` or `KeyError` that comes first, and only that."""
        try:
            return self._build(body, tuple(body))
        except Fault:
            if None not in body.values():
                raise
        # The generated code calls the constraints and nothing else, so the nulls that are allowed are taken out here.
        nullable = {f.wire for f in self.fields if f.nullable}
        given = {wire: value for wire, value in body.items() if value is not None or wire not in nullable}
        return self._build(given, tuple(body if self.clears else given))

    def present(self, body: Mapping[str, Any]) -> frozenset[str]:
        """The attributes that a body gives."""
        return _attributes(self, tuple(wire for wire, value in body.items() if self.clears or value is not None))

    def _build(self, given: Mapping[str, Any], wires: tuple[str, ...]) -> Any:
        if self.marks:
            # The hub's own entry comes last, so a field of that name in the body cannot take its place.
            given = {**given, PRESENT: _attributes(self, wires)}
        return self.structure(given, self.cls)


_PLANS: dict[type, Plan] = {}


def plan_of(cls: type) -> Plan:
    """The plan of an input class, made at its first use."""
    plan = _PLANS.get(cls)
    return plan if plan is not None else _PLANS.setdefault(cls, _make_plan(cls))


def fields_of(cls: type) -> tuple[InputField, ...]:
    """The fields of an input class in the order of its attributes; the OpenAPI document is written from these."""
    return plan_of(cls).fields


def _make_plan(cls: type) -> Plan:
    hints = get_type_hints(cls, include_extras=True)
    attributes = attrs.fields(cls)
    fields = tuple(_input_field(a, hints[a.name]) for a in attributes if a.name != PRESENT)
    marks = len(fields) < len(attributes)
    hooks: dict[str, Any] = {f.name: override(rename=f.wire, struct_hook=f.constraint.read) for f in fields}
    if marks:
        hooks[PRESENT] = override(struct_hook=_as_it_is)
    return Plan(
        cls=cls,
        fields=fields,
        names={f.wire: f.name for f in fields},
        marks=marks,
        clears=bool(getattr(cls, "clears", False)),
        structure=make_dict_structure_fn(cls, Converter(detailed_validation=False), **hooks),
    )


def _input_field(attribute: attrs.Attribute[Any], hint: Any) -> InputField:
    optional = get_origin(hint) in (Union, types.UnionType)
    inner = next(part for part in get_args(hint) if part is not type(None)) if optional else hint
    if get_origin(inner) is not Annotated:
        raise TypeError(f"{attribute.name} has no constraint in its annotation")
    return InputField(
        name=attribute.name,
        wire=wire_name(attribute.name),
        constraint=inner.__metadata__[0],
        required=attribute.default is attrs.NOTHING,
        nullable=optional and "never_null" not in attribute.metadata,
    )


@lru_cache(maxsize=1_024)
def _attributes(plan: Plan, wires: tuple[str, ...]) -> frozenset[str]:
    # A shop sends the same fields in every item, so this is nearly always remembered.
    return frozenset(plan.names[wire] for wire in wires if wire in plan.names)


def _as_it_is(value: Any, _: object) -> Any:
    return value
