"""The constraint record of rates that rise by volume: an object with its tiers, read into the form that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from attrs import field, frozen

from hub.domain.orders.rule_kinds import RULE_TYPES
from hub.domain.orders.volume_rates import MOST_TIERS
from hub.domain.words import VolumeMeasure, VolumePeriod
from hub.validation.constraints import Choice, Constraint, DecimalText, Fault, Schema, labels
from hub.validation.json_body import shown_name

_TIER: Final[Mapping[str, Constraint]] = {
    "from": DecimalText(description="The first order that earns it, from 2, or the amount before it.", example="11"),
    "commissionType": Choice(RULE_TYPES),
    "commissionValue": DecimalText(example="12"),
}
_WHOLE: Final[Mapping[str, Constraint]] = {
    "period": Choice(get_args(VolumePeriod)),
    "measure": Choice(get_args(VolumeMeasure)),
}
_SETS: Final = {"period": "VolumePeriod", "measure": "VolumeMeasure", "commissionType": "CommissionType"}
"""The components of the members that are closed sets."""


@frozen
class Volume:
    """Tiers in rising order: `{period, measure, tiers: [{from, commissionType, commissionValue}]}`."""

    description: str = ""
    example: Mapping[str, Any] = field(factory=dict, eq=False)

    def read(self, value: Any) -> dict[str, Any]:
        """Return the object with its known members; every bad one is named by its path."""
        if type(value) is not dict:
            raise Fault("must be a JSON object")
        tiers = value.get("tiers")
        if type(tiers) is not list or not 1 <= len(tiers) <= MOST_TIERS:
            raise Fault("holds bad tiers", (".tiers", f"must be an array of 1 to {MOST_TIERS} tiers"))
        problems: list[tuple[str, str]] = []
        whole = _members(_WHOLE, value, "", problems)
        read = [_members(_TIER, tier, f".tiers[{place}]", problems) for place, tier in enumerate(tiers)]
        if problems:
            raise Fault("holds bad members", *problems)
        return {**whole, "tiers": read}

    def schema(self) -> Schema:
        """Return an object with its members; closed sets are references among the document's components."""
        tier = _object(_TIER)
        tiers = {"type": "array", "items": tier, "minItems": 1, "maxItems": MOST_TIERS,
                 "description": "The tiers, from the lowest beginning on; rates of one kind must rise."}  # fmt: skip
        whole = _object(_WHOLE)
        whole["properties"]["tiers"] = tiers
        return {**whole, "required": [*_WHOLE, "tiers"], **labels(self)}


def _members(known: Mapping[str, Constraint], value: Any, path: str, problems: list[tuple[str, str]]) -> dict[str, Any]:
    if type(value) is not dict:
        problems.append((path, "must be a JSON object"))
        return {}
    read = {}
    strange = (name for name in value if name not in known and (path, name) != ("", "tiers"))
    problems += [(f"{path}.{shown_name(name)}", "is unknown here") for name in strange]
    for name, constraint in known.items():
        if value.get(name) is None:
            problems.append((f"{path}.{name}", "must be given"))
            continue
        try:
            read[name] = constraint.read(value[name])
        except Fault as fault:
            problems.append((f"{path}.{name}", str(fault)))
    return read


def _object(members: Mapping[str, Constraint]) -> Schema:
    properties: Schema = {
        name: {"$ref": f"#/components/schemas/{_SETS[name]}"} if name in _SETS else members[name].schema()
        for name in members
    }
    return {"type": "object", "properties": properties, "required": [*members]}
