"""Python: typed dictionaries, and the methods of both clients."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from clients.generator.model import Component, Member, Operation, Shape, words_of

HEAD = '''"""{title} Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

'''
QUOTES: Final = '"""'
WIDTH: Final = 120
PLAIN = {"text": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "Mapping[str, Any]"}


def types_file(components: Sequence[Component]) -> str:
    """Return the module of types."""
    head = HEAD.format(title="The types of bodies and answers.")
    imports = (
        "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, NotRequired, TypedDict\n\n"
    )
    # An alias is evaluated, so one that names another comes after it.
    plain = sorted(
        (each for each in components if each.shape is not None), key=lambda each: "ref" in _kinds(each.shape)
    )
    classes = {each.name for each in components if each.shape is None}
    early: list[str] = []
    late: list[str] = []
    for each in plain:
        if each.shape is not None:
            (late if classes & _names(each.shape) else early).append(f"{each.name} = {type_of(each.shape)}")
    records = [_record(each) for each in components if each.shape is None]
    return head + imports + "\n\n\n".join(["\n".join(early), *records, "\n".join(late)]) + "\n"


def _kinds(shape: Shape | None) -> set[str]:
    return set() if shape is None else {shape.kind, *(kind for part in shape.parts for kind in _kinds(part))}


def _names(shape: Shape) -> set[str]:
    """Return the names of the components that a shape refers to."""
    return {shape.name, *(name for part in shape.parts for name in _names(part))}


def type_of(shape: Shape, prefix: str = "") -> str:
    """Return an annotation."""
    if shape.kind == "ref":
        name = prefix + shape.name
    elif shape.kind == "enum":
        name = "Literal[" + ", ".join(f'"{value}"' for value in shape.values) + "]"
    elif shape.kind == "array":
        name = f"Sequence[{type_of(shape.parts[0], prefix)}]"
    elif shape.kind == "union":
        name = " | ".join(type_of(part, prefix) for part in shape.parts)
    else:
        name = PLAIN[shape.kind]
    return f"{name} | None" if shape.nullable else name


def _record(component: Component) -> str:
    lines = [f"class {component.name}(TypedDict):", *_docstring(component.text, 4), ""]
    for member in component.members:
        annotation = type_of(member.shape)
        lines.append(f"    {member.name}: {annotation if member.required else f'NotRequired[{annotation}]'}")
    return "\n".join(lines)


def methods_file(operations: Sequence[Operation], holders: str = "") -> str:
    """Return the module of methods: a class for each client, of the merchants' API or of that of its `holders`."""
    head = HEAD.format(title="A method for each operation.")
    classes = [_class(operations, f"{holders.title()}Operations", is_async=is_async) for is_async in (False, True)]
    literal = "Literal, " if any("Literal[" in each for each in classes) else ""
    imports = (
        f"from collections.abc import AsyncIterator, Iterator\nfrom typing import Any, {literal}Protocol, cast\n\n"
        f"from affiliate_hub_client import {f'{holders}_models as ' if holders else ''}models\n"
        "from affiliate_hub_client.requests import Call, next_page, path_of, without_none\n"
    )
    return head + imports + "\n\n" + "\n\n\n".join(classes) + "\n"


def _class(operations: Sequence[Operation], name: str, *, is_async: bool) -> str:
    name, prefix = (f"Async{name}", "async ") if is_async else (name, "")
    lines = [
        f"class {name}(Protocol):",
        f'    """The operations of the API, {"awaited" if is_async else "each returning its answer"}."""',
        "",
        f"    {prefix}def send(self, call: Call) -> Any:",
        '        """Send a call, and return the body of its answer."""',
        "        ...",
    ]
    for operation in operations:
        lines += ["", *_method(operation, is_async=is_async)]
        if operation.paging:
            lines += ["", *_iterator(operation, is_async=is_async)]
    return "\n".join(lines)


def snake(name: str) -> str:
    """Return a name with its words parted by underscores."""
    return "_".join(words_of(name))


def _path_name(operation: Operation, name: str) -> str:
    """Return the argument for a name in a path: `product_id` for the id in /v1/products/{id}."""
    if name != "id":
        return snake(name)
    holder = operation.path.partition("/{id}")[0].rpartition("/")[2]
    return f"{holder.removesuffix('s')}_id"


def _arguments(operation: Operation, *, leave_out: frozenset[str] = frozenset()) -> list[str]:
    arguments = ["self", *(f"{_path_name(operation, name)}: str" for name in operation.path_names)]
    if operation.body is not None:
        arguments.append(f"body: {type_of(operation.body, 'models.')}")
    keyed = ["event_id: str"] if operation.event_id else []
    keyed += ["idempotency_key: str | None = None"] if operation.idempotent and not operation.event_id else []
    keyed += [_query_argument(each) for each in operation.query if each.name not in leave_out]
    return [*arguments, *(["*", *keyed] if keyed else [])]


def _query_argument(member: Member) -> str:
    shape = member.shape
    plain = Shape(shape.kind, shape.name, shape.parts, shape.values)
    name, kind = snake(member.name), type_of(plain, "models.")
    return f"{_safe(name)}: {kind}" if member.required else f"{_safe(name)}: {kind} | None = None"


def _safe(name: str) -> str:
    return f"{name}_" if name == "from" else name


def _query(operation: Operation) -> str:
    pairs = ", ".join(f'"{each.name}": {_safe(snake(each.name))}' for each in operation.query)
    return f"without_none({{{pairs}}})"


def _answer(operation: Operation) -> str:
    return "None" if operation.answer is None else type_of(operation.answer, "models.")


def _method(operation: Operation, *, is_async: bool) -> list[str]:
    prefix, waits = ("async ", "await ") if is_async else ("", "")
    names = [f"{name}={_path_name(operation, name)}" for name in operation.path_names]
    path = f'path_of("{operation.path}", {", ".join(names)})' if names else f'"{operation.path}"'
    parts = [f'"{operation.method}"', path]
    parts += [f"query={_query(operation)}"] if operation.query else []
    parts += ["body=body"] if operation.body is not None else []
    parts += ["event_id=event_id"] if operation.event_id else []
    parts += ["idempotency_key=idempotency_key"] if operation.idempotent and not operation.event_id else []
    parts += ["is_idempotent=True"] if operation.idempotent and not operation.event_id else []
    parts += ["may_repeat=True"] if operation.may_repeat else []
    return [
        f"    {prefix}def {snake(operation.name)}({', '.join(_arguments(operation))}) -> {_answer(operation)}:",
        *_docstring(operation.summary, 8),
        f'        return cast("{_answer(operation)}", {waits}self.send(Call({", ".join(parts)})))',
    ]


_PLACES: Final = frozenset({"page", "cursor"})
"""The parameters that say where a page of a list begins, which an iterator does by itself."""


def _iterator(operation: Operation, *, is_async: bool) -> list[str]:
    prefix, waits, kind = ("async ", "await ", "AsyncIterator") if is_async else ("", "", "Iterator")
    name = snake(operation.name).replace("list_", "iterate_", 1)
    most, number = operation.most or ("", 0)
    arguments = [
        f"{each.partition(':')[0]}: int = {number}" if most and each.startswith(f"{snake(most)}:") else each
        for each in _arguments(operation, leave_out=_PLACES)
    ]
    names = [_safe(snake(each.name)) for each in operation.query if each.name not in _PLACES]
    given = [f"{name}={name}" for name in names]
    given = [*(_path_name(operation, name) for name in operation.path_names), *given]
    first = "1" if operation.paging == "page" else "None"
    each_entry = ['            yield from page["data"]']
    if is_async:
        each_entry = ['            for each in page["data"]:', "                yield each"]
    item = type_of(operation.item or Shape("object"), "models.")
    place = "int | None" if operation.paging == "page" else "str | None"
    return [
        f"    {prefix}def {name}({', '.join(arguments)}) -> {kind}[{item}]:",
        *_docstring(f"{_sentence(operation.summary)} Pages are fetched as they are needed.", 8),
        f"        place: {place} = {first}",
        "        while True:",
        f"            page = {waits}self.{snake(operation.name)}({', '.join([*given, f'{operation.paging}=place'])})",
        *each_entry,
        f'            place = next_page(page, "{operation.paging}")',
        "            if place is None:",
        "                return",
    ]


def _docstring(text: str, indent: int) -> list[str]:
    """Return the lines of a docstring: in one if they fit, else what follows a sentence, or a part of one, apart."""
    margin, whole = " " * indent, _sentence(text)
    if len(whole) <= WIDTH - indent - len(QUOTES) * 2:
        return [f"{margin}{QUOTES}{whole}{QUOTES}"]
    first, _, rest = whole.partition(". ") if ". " in whole else whole.partition("; ")
    wrapped = textwrap.wrap(rest[:1].upper() + rest[1:], WIDTH - indent)
    return [f"{margin}{QUOTES}{first}.", "", *(margin + line for line in wrapped), margin + QUOTES]


def _sentence(text: str) -> str:
    first = " ".join(text.split()).replace('"', "'").replace("\\", "\\\\")
    return first if first.endswith((".", "!", "?")) else f"{first}."
