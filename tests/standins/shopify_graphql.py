"""Shopify's GraphQL engine as documented: documents parsed and checked against the schema, costs, connections, bulk.

Source: shopify.dev/docs/apps/build/apis/graphql-admin/rate-limits (an object costs 1, scalars and enums nothing, a
connection 2 and what it may return, a mutation 10; more than 1,000 for one query is refused; too few points left is an
error THROTTLED in an answer of status 200), /docs/api/usage/bulk-operations/queries (connections without `first`, at
most five, two deep, none within a list; lines of JSON, children with `__parentId`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from attrs import define, frozen
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLList,
    GraphQLResolveInfo,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    build_schema,
    execute_sync,
    get_named_type,
    get_nullable_type,
    is_leaf_type,
    parse,
    validate,
)
from graphql.language import IntValueNode, SelectionSetNode, VariableNode

from tests.standins.trouble import Record

SCHEMA: Final = build_schema((Path(__file__).parent / "shopify.graphql").read_text())
MOST_COST: Final = 1_000
MOST_NODES: Final = 250
MUTATION_COST: Final = 10
BULK_CONNECTIONS: Final = 5
BULK_DEPTH: Final = 2


@define
class Points:
    """The points of one app and shop."""

    most: float = 2_000
    refill: float = 100
    left: float = 2_000
    at: float = 0.0

    def status(self, now: float) -> Record:
        """Return what is left at `now` (seconds)."""
        self.left = min(self.most, self.left + (now - self.at) * self.refill)
        self.at = now
        return {"maximumAvailable": self.most, "currentlyAvailable": int(self.left), "restoreRate": self.refill}


@frozen
class Asked:
    """A document that was found to be valid, with its variables."""

    document: DocumentNode
    variables: Mapping[str, Any]

    @property
    def operation(self) -> OperationDefinitionNode:
        """Return the one operation."""
        (only,) = self.document.definitions
        assert isinstance(only, OperationDefinitionNode)
        return only

    @property
    def cost(self) -> int:
        """Return what it costs at most."""
        is_act = self.operation.operation is OperationType.MUTATION
        root = SCHEMA.mutation_type if is_act else SCHEMA.query_type
        own = _cost(self.operation.selection_set, root, self.variables)
        return max(own, MUTATION_COST) if is_act else own


def asked(text: str, variables: Mapping[str, Any]) -> Asked | list[Record]:
    """Parse and check a document; return what is wrong with it, if anything is."""
    found = _checked(text)
    return Asked(found, variables) if isinstance(found, DocumentNode) else list(found)


@cache
def _checked(text: str) -> DocumentNode | tuple[Record, ...]:
    """Return a document, or what is wrong with it; the hub asks the same few again and again."""
    try:
        document = parse(text)
    except GraphQLError as fault:
        return ({"message": fault.message, "extensions": {"code": "parseError"}},)
    faults = validate(SCHEMA, document)
    if faults:
        return tuple({"message": each.message, "extensions": {"code": "undefinedField"}} for each in faults)
    return document


def answered(question: Asked, root: Mapping[str, Any]) -> Record:
    """Return the answer of a document, with partial data and errors, as the engine gives it."""
    found = execute_sync(SCHEMA, question.document, root, variable_values=dict(question.variables),
                         field_resolver=_resolve)  # fmt: skip
    return dict(found.formatted)


def actual_cost(answer: Any) -> int:
    """Return what an answer cost: the objects that it has."""
    if isinstance(answer, list):
        return sum(map(actual_cost, answer))
    return 1 + sum(map(actual_cost, answer.values())) if isinstance(answer, dict) else 0


def bulk_fault(text: str) -> str | None:
    """Return why a bulk operation would be refused, None if it would not."""
    question = asked(text, {})
    if isinstance(question, list):
        return str(question[0]["message"])
    depths = list(_connection_depths(question.operation.selection_set, SCHEMA.query_type, 0, within_list=False))
    if not depths:
        return "Bulk queries must contain at least one connection."
    if -1 in depths:
        return "Queries that contain a connection field within a list field are not currently supported."
    if len(depths) > BULK_CONNECTIONS or max(depths) > BULK_DEPTH:
        return "Bulk queries cannot contain more than 5 connections, or more than two levels of them."
    return None


def bulk_lines(text: str, root: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a bulk operation, each parent before its children."""
    (answer,) = answered(Asked(parse(text), {}), root)["data"].values()
    for edge in answer["edges"]:
        yield from _flat(edge["node"], None)


def _flat(node: Record, parent: str | None) -> Iterator[str]:
    inner = {name: value["edges"] for name, value in node.items() if isinstance(value, dict) and "edges" in value}
    line = {name: value for name, value in node.items() if name not in inner}
    yield json.dumps({**line, "__parentId": parent} if parent else line)
    for edges in inner.values():
        for edge in edges:
            yield from _flat(edge["node"], node["id"])


def _resolve(source: Any, info: GraphQLResolveInfo[Any], **given: Any) -> Any:
    value = source.get(info.field_name) if isinstance(source, dict) else None
    if callable(value):
        value = value(**given)
    if isinstance(value, Exception):
        raise value
    name = get_named_type(info.return_type).name
    if name.endswith("Connection") and isinstance(value, list):
        return _page(value, given, is_bulk="first" not in given)
    return value


def _page(items: list[Any], given: Mapping[str, Any], *, is_bulk: bool) -> Record:
    size = len(items) if is_bulk else given["first"]
    if not is_bulk and not 0 < size <= MOST_NODES:
        raise GraphQLError(f"first must be between 1 and {MOST_NODES}")
    start = int(given["after"].removeprefix("cursor-")) if given.get("after") else 0
    shown = items[start : start + size]
    end = start + len(shown)
    info = {"hasNextPage": end < len(items), "hasPreviousPage": start > 0, "startCursor": f"cursor-{start}",
            "endCursor": f"cursor-{end}" if shown else None}  # fmt: skip
    return {"nodes": shown, "edges": [{"cursor": "", "node": each} for each in shown], "pageInfo": info}


def _cost(selections: SelectionSetNode | None, of: Any, variables: Mapping[str, Any]) -> int:
    total = 0
    for each in () if selections is None else selections.selections:
        if isinstance(each, InlineFragmentNode):
            within = SCHEMA.type_map[each.type_condition.name.value] if each.type_condition else of
            total += _cost(each.selection_set, within, variables)
        elif isinstance(each, FieldNode) and not each.name.value.startswith("__"):
            kind = get_named_type(of.fields[each.name.value].type)
            inner = 0 if is_leaf_type(kind) else _cost(each.selection_set, kind, variables)
            if kind.name.endswith("Connection"):
                total += 2 + _first(each, variables) * inner
            elif not is_leaf_type(kind) and kind.name != "PageInfo":
                total += 1 + inner
    return total


def _first(field: FieldNode, variables: Mapping[str, Any]) -> int:
    for each in field.arguments or ():
        if each.name.value == "first":
            if isinstance(each.value, IntValueNode):
                return int(each.value.value)
            assert isinstance(each.value, VariableNode)
            return int(variables[each.value.name.value])
    raise AssertionError(f"{field.name.value} is asked for without `first`")


def _connection_depths(selections: SelectionSetNode | None, of: Any, depth: int, *, within_list: bool) -> Iterator[int]:
    """Yield how deep each connection is, -1 for one within a list."""
    for each in () if selections is None else selections.selections:
        if isinstance(each, FieldNode) and not each.name.value.startswith("__"):
            whole = of.fields[each.name.value].type
            kind = get_named_type(whole)
            if is_leaf_type(kind):
                continue
            is_connection = kind.name.endswith("Connection")
            if is_connection:
                yield -1 if within_list else depth + 1
            lists = isinstance(get_nullable_type(whole), GraphQLList) and each.name.value not in ("edges", "nodes")
            yield from _connection_depths(
                each.selection_set, kind, depth + is_connection, within_list=within_list or lists
            )
