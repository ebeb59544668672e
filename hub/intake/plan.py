"""What an input class asks of a body, read once from its annotations: its fields, their constraints, its reader."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from hub.intake.constraints import Constraint, Fault
from hub.intake.inputs import wire_name

PRESENT = "present"
NOTHING: frozenset[str] = frozenset()


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
    default: Any = None

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
    wires: frozenset[str]
    marks: bool
    clears: bool
    build: Callable[[Mapping[str, Any], frozenset[str]], Any]

    def read(self, body: Mapping[str, Any]) -> Any:
        """The input; on a bad body it raises the `Fault` or `KeyError` that comes first, and only that."""
        return self.build(body, self.present(body) if self.marks else NOTHING)

    def present(self, body: Mapping[str, Any]) -> frozenset[str]:
        """The attributes that a body gives."""
        if self.clears or None not in body.values():
            return _attributes(self, tuple(body))
        return _attributes(self, tuple(wire for wire, value in body.items() if value is not None))


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
    if "__slots__" in vars(cls) or any(a.validator or a.converter for a in attributes):
        raise TypeError(f"{cls.__name__} must have no slots, and all its rules in its annotations")
    fields = tuple(_input_field(a, hints[a.name]) for a in attributes if a.name != PRESENT)
    marks = len(fields) < len(attributes)
    return Plan(
        cls=cls,
        fields=fields,
        names={f.wire: f.name for f in fields},
        wires=frozenset(f.wire for f in fields),
        marks=marks,
        clears=bool(getattr(cls, "clears", False)),
        build=_compile(cls, fields, marks=marks),
    )


def _compile(
    cls: type, fields: Iterable[InputField], *, marks: bool
) -> Callable[[Mapping[str, Any], frozenset[str]], Any]:
    """A function from a body, and the attributes that it gives, to the input.

    It fills the input's `__dict__` at once, with what `__init__` would put there one by one: a payload makes thousands.
    In its text stand only the names in the class.
    """
    known: dict[str, Any] = {"cls": cls, "new": object.__new__, "set": object.__setattr__}
    values = ["'present': present"] if marks else []
    for field in fields:
        known |= {f"read_{field.name}": field.constraint.read, f"default_{field.name}": field.default}
        values.append(f"{field.name!r}: {_expression(field)}")
    text = f"""
def build(body, present):
    get = body.get
    made = new(cls)
    set(made, "__dict__", {{{", ".join(values)}}})
    return made
"""
    exec(text, known)  # noqa: S102 - see above
    build: Callable[[Mapping[str, Any], frozenset[str]], Any] = known["build"]
    return build


def _expression(field: InputField) -> str:
    if field.required:
        return f"read_{field.name}(body[{field.wire!r}])"
    if field.nullable:
        return f"default_{field.name} if (value := get({field.wire!r})) is None else read_{field.name}(value)"
    return f"read_{field.name}(body[{field.wire!r}]) if {field.wire!r} in body else default_{field.name}"


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
        default=attribute.default,
    )


@lru_cache(maxsize=1_024)
def _attributes(plan: Plan, wires: tuple[str, ...]) -> frozenset[str]:
    # A shop sends the same fields in every item, so this is nearly always remembered.
    return frozenset(plan.names[wire] for wire in wires if wire in plan.names)
