"""The small changes: each is one node of a module's syntax tree in the place of another.

Left alone is what no test should hold: docstrings, annotations, the words of messages (f-strings and what is raised),
decorators and imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from types import CodeType
from typing import Final, NamedTuple

_COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_CALLED: Final = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
_UNTOUCHED: Final = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.arg)
_TYPES: Final = {"Literal", "Annotated"}
_UNTOUCHED_FIELDS: Final = {"annotation", "returns", "decorator_list", "bases", "type_comment"}


class Mutant(NamedTuple):
    """One change: where it is (`function` is empty at the top of a module), and what it does, in source text."""

    module: str
    line: int
    function: str
    before: str
    after: str
    code: CodeType

    @property
    def name(self) -> str:
        """What is the same after lines above it were added: survivors are known by it."""
        return f"{self.module}:{self.function}: {self.before} -> {self.after}"


class _Place(NamedTuple):
    """A child of a node, which may be replaced: `at` is its place in the field's list, None where that is none."""

    parent: ast.AST
    field: str
    at: int | None
    child: ast.AST
    function: str

    def put(self, node: ast.AST) -> None:
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


def mutants_of(module: str, source: str, path: str) -> Iterator[Mutant]:
    """Yield every change of a module, compiled; `path` is the file that tracebacks name."""
    tree = ast.parse(source)
    for place in list(_places(tree, "")):
        for new in _changes(place):
            line = getattr(place.child, "lineno", 0)
            changed = ast.copy_location(new, place.child)
            place.put(changed)
            code = compile(ast.fix_missing_locations(tree), path, "exec")
            place.put(place.child)
            yield Mutant(module, line, place.function, _text(place.child), _text(changed), code)


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}..."


def _places(node: ast.AST, function: str) -> Iterator[_Place]:
    for field, value in ast.iter_fields(node):
        if field in _UNTOUCHED_FIELDS:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_untouched(child):
                continue
            yield _Place(node, field, index, child, function)
            if not isinstance(child, ast.Raise):
                yield from _places(child, _inside(child, function))


def _inside(node: ast.AST, function: str) -> str:
    """Return the dotted name of what encloses a node's children; a name within a function is part of that one."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not function.endswith("()"):
        end = "" if isinstance(node, ast.ClassDef) else "()"
        return f"{function}.{node.name}{end}".lstrip(".")
    return function


def _is_untouched(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _TYPES:
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
        return True
    return isinstance(node, _UNTOUCHED)


def _changes(place: _Place) -> Iterator[ast.AST]:
    node = place.child
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.expr):
        is_condition = place.field == "test" or (place.field == "ifs" and isinstance(place.parent, ast.comprehension))
        if is_condition and not isinstance(place.parent, ast.IfExp):
            yield ast.Constant(False)
            if not isinstance(place.parent, ast.While):
                yield ast.Constant(True)
        yield from _of_expression(node)


def _of_statement(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
        case ast.AugAssign(op=op):
            yield ast.Pass()
            if type(op) in _COMPUTED:
                yield _with(node, op=_COMPUTED[type(op)]())
        case ast.Expr(value=ast.Call()) | ast.Raise():
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case _:
            return


def _of_expression(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                yield _with(node, ops=[*ops[:index], _COMPARED[type(op)](), *ops[index + 1 :]])
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(op=op) if type(op) in _COMPUTED:
            yield _with(node, op=_COMPUTED[type(op)]())
        case ast.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case ast.Call(func=ast.Name(id=name)) if name in _CALLED:
            keywords = [] if name == "sorted" else node.keywords
            yield _with(node, func=ast.Name(_CALLED[name], ast.Load()), keywords=keywords)
        case ast.Constant(value=value):
            yield from _of_constant(value)
        case _:
            return


def _of_constant(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str):
        yield ast.Constant(f"X{value}")


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """Return a node with other fields, on the same children."""
    new = copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
