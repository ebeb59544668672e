"""The architecture's own rules, each with its reason; the controls show that every check can fail.

The order of the parts is written down once, in docs/architecture.md, and read from there.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import re
import sys
import textwrap
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted(path.parent for path in ROOT.glob("plugins/*/*/__init__.py") if path.parent.name != "tests")
VAGUE = {"util", "utils", "helper", "helpers", "manager", "managers", "base", "common", "misc", "abstract"}

DOCUMENTED = {
    "PIL.Image",
    "PIL.ImageCms",
    "aiohttp",
    "aiohttp.abc",
    "aiohttp.web",
    "aiosqlite",
    "apscheduler.schedulers.asyncio",
    "argon2",
    "argon2.exceptions",
    "asyncpg",
    "attrs",
    "cattrs",
    "cattrs.cols",
    "cattrs.errors",
    "cattrs.gen",
    "click",
    "crawlerdetect",
    "crawlerdetect.providers",
    "cryptography.exceptions",
    "cryptography.hazmat.primitives.ciphers.aead",
    "cryptography.x509",
    "dns.asyncresolver",
    "dns.exception",
    "dns.resolver",
    "jinja2",
    "lxml.etree",
    "markupsafe",
    "mcp",
    "mcp.server.context",
    "mcp.server.lowlevel",
    "mcp.server.streamable_http_manager",
    "mcp.types",
    "multidict",
    "orjson",
    "pluggy",
    "markdown_it",
    "markdown_it.token",
    "pygments",
    "pygments.formatters",
    "pygments.lexers",
    "pygments.util",
    "prometheus_client",
    "prometheus_client.core",
    "prometheus_client.registry",
    "defusedxml",
    "defusedxml.ElementTree",
    "pypdf",
    "pypdf.generic",
    "reportlab.lib.colors",
    "reportlab.lib.pagesizes",
    "reportlab.lib.styles",
    "reportlab.pdfbase.pdfmetrics",
    "reportlab.pdfbase.ttfonts",
    "reportlab.platypus",
    "rich.console",
    "rich.progress",
    "rich.table",
    "rich.text",
    "aiosmtplib",
    "segno",
    "webauthn",
    "stdnum",
    "stdnum.bic",
    "stdnum.exceptions",
    "stdnum.iban",
    "stdnum.vatin",
    "webauthn.helpers.cose",
    "webauthn.helpers.exceptions",
    "webauthn.helpers.structs",
    "structlog",
    "uuid_utils",
    "uvloop",
    "yarl",
}
"""The modules of dependencies that their documentation names; everything else may change under us any day."""


def levels(order: str) -> dict[str, int]:
    """The parts of an order in docs/architecture.md, each with its height above the lowest line."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    (block,) = re.findall(rf"^```{order}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {part: level for level, line in enumerate(reversed(block.splitlines())) for part in line.split()}


ORDERS = {
    "hub": levels("packages"),
    "hub.operations": levels("operations"),
    "hub.operations.money": levels("money"),
    "hub.domain": levels("domain"),
}
"""The written orders, by the package whose parts they put above each other."""


def sources(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py") if ".venv" not in file.parts)


def is_test(file: Path) -> bool:
    # hub/testing is the conformance suites that the hub ships: tests, only public.
    parts = file.relative_to(ROOT).parts
    return "tests" in parts or parts[:2] == ("hub", "testing")


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All that is in a tree: to walk it takes ten times longer than to read what was found."""
    return tuple(ast.walk(tree))


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(tree: ast.Module) -> Iterator[str]:
    """Yield the full name of everything imported, inside functions and for type checkers too."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_way(package: str, part: str, tree: ast.Module) -> list[str]:
    """Return the parts of a package that a module in its part `part` imports although they are not below it."""
    level, within = ORDERS[package], f"{package}."
    names = [name.removeprefix(within) for name in imports_of(tree) if name.startswith(within)]
    targets = {name.split(".")[0] for name in names} - {part, "__commit__", "__version__"}
    return sorted(target for target in targets if level.get(target, len(level)) >= level[part])


def parts_of(package: str) -> dict[Path, str]:
    """The files of a package, each with the part that it is in: a folder, or the file itself."""
    folder = ROOT / package.replace(".", "/")
    parts = {file: file.relative_to(folder).parts[0].removesuffix(".py") for file in sources(str(folder))}
    return {file: part for file, part in parts.items() if part != "__init__"}


def circle_of(imports: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, none if there is no circle."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def private_names(tree: ast.Module) -> list[str]:
    """Return the private names that a file uses and does not define itself."""
    own = set(_defined(tree))
    used = [node.attr for node in nodes_of(tree) if isinstance(node, ast.Attribute)]
    used += [part for name in imports_of(tree) for part in name.split(".")]
    used += [
        node.args[1].value
        for node in nodes_of(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("attr")
        if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str)
    ]
    return sorted({name for name in used if is_private(name) and name not in own | DOCUMENTED_ALL_THE_SAME})


DOCUMENTED_ALL_THE_SAME = {"_asdict", "_fields", "_make", "_replace", "_exit"}
"""Methods of named tuples, with an underscore only so that no field can be called like them; and `os._exit`."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                yield name


def borrowed_names(kind: type) -> list[str]:
    """Return the private names that a class of ours sets although a foreign class above it has them."""
    foreign = [above for above in kind.__mro__[1:] if not above.__module__.startswith("hub") and above is not object]
    if not foreign:
        return []
    own = {name for name in _instance_names(kind) if is_private(name)}
    taken = {name for above in foreign for name in {*dir(above), *_instance_names(above)}}
    return sorted(own & taken)


@cache
def _instance_names(kind: type) -> frozenset[str]:
    try:
        return frozenset(_defined(ast.parse(textwrap.dedent(inspect.getsource(kind)))))
    except (OSError, TypeError):  # written in C
        return frozenset()


def long_functions(tree: ast.Module, limit: int) -> list[str]:
    functions = [node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > limit]


def vague_words(name: str) -> set[str]:
    return VAGUE & {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def unexplained(text: str) -> list[int]:
    """Return the lines that silence a checker without a reason behind it."""
    found: list[int] = []
    if not re.search(r"#\s*(noqa|type:\s*ignore|pragma)\b", text):
        return found
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and re.match(r"#\s*(noqa|type:\s*ignore|pragma)\b", token.string):
            codes = r"#\s*(noqa(:\s*[A-Z0-9, ]+)?|type:\s*ignore(\[[\w, -]+\])?|pragma: \w+( \w+)?)\s*"
            reason = re.sub(codes, "", token.string).lstrip("-# ")
            if not reason:
                found.append(token.start[0])
    return found


class TestSize:
    def test_files_are_short(self) -> None:
        """A file over 300 lines (a test file over 500) has a second subject that deserves its own name."""
        lengths = {file: len(file.read_text("utf-8").splitlines()) for file in sources("hub", "plugins", "tests")}
        assert lengths
        assert [shown(file) for file, lines in lengths.items() if lines > (500 if is_test(file) else 300)] == []

    def test_functions_are_short(self) -> None:
        """What separates the beautiful from the merely good is the tail: nothing over 40 lines."""
        files = [file for file in sources("hub", "plugins") if not is_test(file)]
        assert [f"{shown(file)}: {name}" for file in files for name in long_functions(tree_of(file), 40)] == []

    def test_control_a_long_function_is_found(self) -> None:
        """A function of 41 lines is found, inside a class too."""
        tree = ast.parse("class A:\n    async def long(self):\n" + "        pass\n" * 40)
        assert long_functions(tree, 40) == ["long"]


class TestNames:
    def test_no_vague_names(self) -> None:
        """A module or class called "utils" or "manager" says nothing and collects everything."""
        found = []
        for file in sources("hub", "plugins"):
            classes = [node.name for node in nodes_of(tree_of(file)) if isinstance(node, ast.ClassDef)]
            names = [*file.relative_to(ROOT).with_suffix("").parts, *classes]
            found += [f"{shown(file)}: {name}" for name in names if vague_words(name)]
        assert found == []

    def test_control_only_whole_words_are_vague(self) -> None:
        """Whole words count: a database is no base."""
        assert vague_words("OrderManager") == {"manager"}
        assert vague_words("web_utils") == {"utils"}
        assert vague_words("DatabaseSettings") == set()


class TestRooms:
    @pytest.mark.parametrize("package", ORDERS)
    def test_imports_point_down(self, package: str) -> None:
        """Each part can be read, tested and replaced without those above it."""
        found = []
        for file, part in parts_of(package).items():
            assert part in ORDERS[package], f"{package}.{part} needs its place in docs/architecture.md"
            found += [f"{shown(file)} imports {package}.{other}" for other in wrong_way(package, part, tree_of(file))]
        assert found == []

    @pytest.mark.parametrize("package", ORDERS)
    def test_an_order_names_only_what_exists(self, package: str) -> None:
        assert sorted(ORDERS[package].keys() - set(parts_of(package).values())) == []

    def test_no_files_import_each_other_in_a_circle(self) -> None:
        """Not even within a part: of two files one can always be read first."""
        modules = {module_of(file): file for file in sources("hub")}
        imports = {
            name: {target for target in _modules(imports_of(tree_of(file)), modules) if target not in (name, "hub")}
            for name, file in modules.items()
        }
        assert sum(map(len, imports.values())) > 500
        assert circle_of(imports) == []

    def test_the_domain_is_pure(self) -> None:
        """Rules that import no framework cannot do I/O by accident: the standard library and attrs, nothing else."""
        allowed = sys.stdlib_module_names | {"attrs"}
        found = [
            f"{shown(file)} imports {name}"
            for file in sources("hub/domain")
            for name in imports_of(tree_of(file))
            if name.split(".")[0] not in allowed and not name.startswith("hub.domain")
        ]
        assert found == []

    def test_plugins_use_the_one_door(self) -> None:
        """First-party plugins live by the rule for strangers: hub.api, and no other plugin."""
        found = []
        for package in PACKAGES:
            others = {other.name for other in PACKAGES} - {package.name}
            for file in sorted(package.rglob("*.py")):
                names = set(imports_of(tree_of(file)))
                hub = {name for name in names if name.split(".")[0] == "hub" and not name.startswith("hub.api")}
                found += [f"{shown(file)} imports {name}" for name in hub]
                found += [f"{shown(file)} imports {name}" for name in names if name.split(".")[0] in others]
        assert found == []

    @pytest.mark.parametrize(
        ("package", "part", "line", "found"),
        [
            ("hub", "domain", "from hub.storage.store import Store", ["storage"]),
            ("hub", "domain", "import hub.http", ["http"]),
            ("hub", "csv_import", "from hub.processing.worker import Worker", ["processing"]),
            ("hub", "storage", "def f():\n    from hub import config", ["config"]),
            ("hub", "intake", "from hub.unplaced import x", ["unplaced"]),
            ("hub", "cli", "from hub import __version__\nfrom hub.app import build\nimport hub.cli.output", []),
            ("hub.operations", "system", "from hub.operations.money.ledger.ledger import verify_ledger", ["money"]),
            ("hub.operations", "money", "from hub.operations.webhooks import subscriptions", ["webhooks"]),
            ("hub.operations", "errors", "from hub.operations import trail", ["trail"]),
            ("hub.operations", "orders", "from hub.operations.unplaced.x import y", ["unplaced"]),
            ("hub.operations", "orders", "from hub.operations.money import x\nimport hub.operations.orders.y", []),
        ],
    )
    def test_control_imports_that_do_not_point_down_are_found(
        self, package: str, part: str, line: str, found: list[str]
    ) -> None:
        """Up, beside and unplaced are found; down and within are not."""
        assert wrong_way(package, part, ast.parse(line)) == found

    def test_control_a_circle_is_found(self) -> None:
        assert circle_of({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
        assert circle_of({"a": {"b", "c"}, "b": {"c"}}) == []


class TestDependencies:
    """What a library does not document it may change in any release; so the hub uses none of it."""

    def test_only_documented_modules_are_imported(self) -> None:
        modules = {
            f"{shown(file)} imports {name}"
            for file in sources("hub", "plugins")
            for name in _foreign_modules(tree_of(file))
            if name not in DOCUMENTED and not is_test(file)
        }
        assert sorted(modules) == []

    def test_no_private_name_is_used(self) -> None:
        """By attribute, by import, or by getattr: a private name is used only in the file that defines it."""
        found = {shown(file): private_names(tree_of(file)) for file in sources("hub", "plugins") if not is_test(file)}
        assert {file: names for file, names in found.items() if names} == {}

    def test_no_private_name_of_a_foreign_class_is_replaced(self) -> None:
        """A subclass of a library's class that sets a private name of it would change how the library works."""
        found = {}
        for file in sources("hub"):
            if not is_test(file) and file.name != "__main__.py":
                module = importlib.import_module(module_of(file))
                kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
                for kind in kinds:
                    if kind.__module__ == module.__name__ and (names := borrowed_names(kind)):
                        found[f"{shown(file)}: {kind.__name__}"] = names
        assert found == {}

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("request._match_info", ["_match_info"]),
            ("class A(B):\n    def f(self):\n        self._loop.stop()", ["_loop"]),
            ("from aiohttp import _helpers", ["_helpers"]),
            ("getattr(server, '_kwargs')", ["_kwargs"]),
            ("class A:\n    def f(self):\n        self._own = 1\n        return self._own", []),
            ("row._replace(x=1).__class__", []),
        ],
    )
    def test_control_private_names_are_found(self, text: str, found: list[str]) -> None:
        assert private_names(ast.parse(text)) == found

    def test_control_private_modules_and_replaced_names_are_found(self) -> None:
        class Reckless(ast.NodeVisitor, io.TextIOWrapper):
            def _dealloc_warn(self, source: object) -> None: ...

        assert list(_foreign_modules(ast.parse("from aiohttp.web_protocol import RequestHandler"))) == [
            "aiohttp.web_protocol"
        ]
        assert borrowed_names(Reckless) == ["_dealloc_warn"] or not hasattr(io.TextIOWrapper, "_dealloc_warn")


class TestSuppressions:
    def test_each_suppression_says_why(self) -> None:
        """A checker that is silenced without a reason is silenced forever."""
        found = [
            f"{shown(file)}:{line}"
            for file in sources("hub", "plugins", "tests", "bench")
            for line in unexplained(file.read_text("utf-8"))
        ]
        assert found == []

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("x = 1  # noqa\n", [1]),
            ("x = 1  # noqa: E501\n", [1]),
            ("x = 1\ny = 2  # type: ignore[misc]\n", [2]),
            ("x = 1  # noqa: E501 - a long address\n", []),
            ("x = 1  # type: ignore[misc]  # attrs knows it\n", []),
            ("x = '# noqa: E501'\n", []),
        ],
    )
    def test_control_a_suppression_without_a_reason_is_found(self, text: str, lines: list[int]) -> None:
        assert unexplained(text) == lines


def _modules(names: Iterable[str], modules: dict[str, Path]) -> Iterator[str]:
    """The modules of ours that imported names stand in."""
    for name in names:
        if name.startswith("hub"):
            yield name if name in modules else name.rpartition(".")[0]


OWN = {"hub", "tests", "bench", *(package.name for package in PACKAGES), *sys.stdlib_module_names}


def _foreign_modules(tree: ast.Module) -> Iterator[str]:
    """The modules of dependencies that a file imports."""
    for node in nodes_of(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [
                f"{node.module}.{alias.name}" if _is_module(node.module, alias.name) else node.module
                for alias in node.names
            ]
        yield from (name for name in names if name.split(".")[0] not in OWN)


@cache
def _is_module(package: str, name: str) -> bool:
    try:
        return importlib.util.find_spec(f"{package}.{name}") is not None
    except ModuleNotFoundError:
        return False
