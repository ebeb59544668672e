"""What an input class asks of a body, read once from its annotations: its fields, their constraints, its reader."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from hub.intake.constraints import PLAIN_NAMES, Constraint, Fault
from hub.intake.inputs import NOTHING, wire_name

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

    `clears`: a null clears, and its inputs say in `present` which fields were given; else a null is absent.
    """

    cls: type
    fields: tuple[InputField, ...]
    names: Mapping[str, str]
    wires: frozenset[str]
    clears: bool
    build: Callable[[Mapping[str, Any], frozenset[str]], Any]

    def read(self, body: Mapping[str, Any]) -> Any:
        """The input; on a bad body it raises the `Fault` or `KeyError` that comes first, and only that."""
        return self.build(body, self.present(body))

    def present(self, body: Mapping[str, Any]) -> frozenset[str]:
        """The attributes that a body gives, where that must be known."""
        return _attributes(self, tuple(body)) if self.clears else NOTHING


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
    clears = len(fields) < len(attributes)
    return Plan(
        cls=cls,
        fields=fields,
        names={f.wire: f.name for f in fields},
        wires=frozenset(f.wire for f in fields),
        clears=clears,
        build=_compile(cls, fields, clears=clears),
    )


def _compile(
    cls: type, fields: Iterable[InputField], *, clears: bool
) -> Callable[[Mapping[str, Any], frozenset[str]], Any]:
    """A function from a body, and the attributes that it gives, to the input.

    It fills the input's `__dict__` at once, with what `__init__` would put there one by one, and asks a constraint only
    where a value is not plain: a payload makes thousands. In its text stand only names and constraints of the class.
    """
    known: dict[str, Any] = {"cls": cls, "new": object.__new__, "set": object.__setattr__, **PLAIN_NAMES}
    values = ["'present': present"] if clears else []
    lines = []
    for field in fields:
        known |= {f"read_{field.name}": field.constraint.read, f"default_{field.name}": field.default}
        values.append(f"{field.name!r}: {field.name}_")
        lines.append(f"    {_reading(field)}\n")
    text = f"""
def build(body, present):
    get = body.get
{"".join(lines)}
    made = new(cls)
    set(made, "__dict__", {{{", ".join(values)}}})
    return made
"""
    exec(text, known)  # noqa: S102 - see above
    build: Callable[[Mapping[str, Any], frozenset[str]], Any] = known["build"]
    return build


def _reading(field: InputField) -> str:
    """The statements that read one field into a variable of its own."""
    name, wire = field.name, repr(field.wire)
    plain: str | None = getattr(field.constraint, "plain", None)
    read = f"read_{name}(value)" if plain is None else f"value if {plain} else read_{name}(value)"
    if field.required:
        return f"value = body[{wire}]; {name}_ = {read}"
    if field.nullable:
        return f"value = get({wire}); {name}_ = default_{name} if value is None else {read}"
    return f"{name}_ = read_{name}(body[{wire}]) if {wire} in body else default_{name}"


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
