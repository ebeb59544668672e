"""The house's own rules, each with its reason; the controls show that every check can fail."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted(path.parent for path in ROOT.glob("plugins/*/*/__init__.py") if path.parent.name != "tests")

# From the top: a room may import any room in a line below its own, and none beside it. A new room gets its place here.
ROOMS = (
    {"__main__"},
    {"cli"},
    {"testing"},
    {"demo"},
    {"workers"},
    {"app"},
    {"operations"},
    {"web", "processing"},
    {"uploads"},
    {"intake"},
    {"sealing"},
    {"storage", "registry", "settings"},
    {"setting_sources", "setting_kinds"},
    {"api"},
    {"hookspecs", "payloads"},
    {"ids", "clock"},
    {"domain"},
)
LEVEL = {room: level for level, rooms in enumerate(reversed(ROOMS)) for room in rooms}
VAGUE = {"util", "utils", "helper", "helpers", "manager", "managers", "base", "common", "misc", "abstract"}


def sources(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py") if ".venv" not in file.parts)


def is_test(file: Path) -> bool:
    # hub/testing is the conformance suites that the hub ships: tests, only public.
    parts = file.relative_to(ROOT).parts
    return "tests" in parts or parts[:2] == ("hub", "testing")


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


def imports_of(tree: ast.Module) -> Iterator[str]:
    """Yield the full name of everything imported, inside functions and for type checkers too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_way(room: str, tree: ast.Module) -> list[str]:
    """Return the imports of a module in `room` that do not point down."""
    hub = [name.split(".") for name in imports_of(tree) if name.startswith("hub.")]
    targets = {parts[1] for parts in hub if parts[1] not in (room, "__version__")}
    return sorted(target for target in targets if LEVEL.get(target, len(ROOMS)) >= LEVEL[room])


def long_functions(tree: ast.Module, limit: int) -> list[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > limit]


def vague_words(name: str) -> set[str]:
    return VAGUE & {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [path for path in (ROOT / line for line in listed.stdout.splitlines()) if path.is_file()]


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

    def test_control(self) -> None:
        """A function of 41 lines is found, inside a class too."""
        tree = ast.parse("class A:\n    async def long(self):\n" + "        pass\n" * 40)
        assert long_functions(tree, 40) == ["long"]


class TestNames:
    def test_no_vague_names(self) -> None:
        """A module or class called "utils" or "manager" says nothing and collects everything."""
        found = []
        for file in sources("hub", "plugins"):
            classes = [node.name for node in ast.walk(tree_of(file)) if isinstance(node, ast.ClassDef)]
            names = [*file.relative_to(ROOT).with_suffix("").parts, *classes]
            found += [f"{shown(file)}: {name}" for name in names if vague_words(name)]
        assert found == []

    def test_control(self) -> None:
        """Whole words count: a database is no base."""
        assert vague_words("OrderManager") == {"manager"}
        assert vague_words("web_utils") == {"utils"}
        assert vague_words("DatabaseSettings") == set()


class TestImports:
    def test_point_one_way(self) -> None:
        """Each room can be read, tested and replaced without the rooms above it."""
        found = []
        for file in sources("hub"):
            room = file.relative_to(ROOT / "hub").parts[0].removesuffix(".py")
            if room != "__init__":
                assert room in LEVEL, f"hub/{room} needs its place in ROOMS"
                found += [f"{shown(file)} imports hub.{target}" for target in wrong_way(room, tree_of(file))]
        assert found == []

    def test_domain_is_pure(self) -> None:
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
        ("room", "line", "found"),
        [
            ("domain", "from hub.storage.store import Store", ["storage"]),
            ("domain", "import hub.web", ["web"]),
            ("web", "from hub.processing.worker import Worker", ["processing"]),
            ("storage", "def f():\n    from hub import settings", ["settings"]),
            ("intake", "from hub.unplaced import x", ["unplaced"]),
            ("cli", "from hub import __version__\nfrom hub.app import build\nimport hub.cli.output", []),
        ],
    )
    def test_control(self, room: str, line: str, found: list[str]) -> None:
        """Up, beside and unplaced are found; down and within are not."""
        assert wrong_way(room, ast.parse(line)) == found


class TestFiles:
    def test_no_host_in_what_installs(self) -> None:
        """A registry's address in a lock file would break every machine that installs from another one."""
        files = [ROOT / "Makefile", *ROOT.glob("requirements/*"), *ROOT.glob(".ci/*")]
        assert len(files) > 3
        lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
        assert [line for line in lines if re.search(r"https?://|file:/|--(extra-)?index-url|--find-links", line)] == []

    def test_every_locked_release_has_hashes(self) -> None:
        """Without hashes a registry could hand out something else under the same name."""
        for file in ROOT.glob("requirements/*.txt"):
            pins = re.findall(r"^\S+==\S+ *(.*)$", file.read_text("utf-8"), re.MULTILINE)
            assert pins, file
            assert set(pins) == {"\\"}, file

    def test_no_path_of_a_machine(self) -> None:
        """The repository stands alone: no file leans on where, or beside what, it was made."""
        pattern = re.compile(rb"\bshared[/]|(?<![\w.])/(work|root|home|Users)/\w")
        own = [file for file in tracked_files() if "static" not in file.parts]  # static holds others' code
        assert [shown(file) for file in own if pattern.search(file.read_bytes())] == []
        assert pattern.search(b"/ho" + b"me/someone")

    def test_migrations_are_numbered(self) -> None:
        """Migrations run in the order of their numbers, so the numbers are 1, 2, 3 ... without a gap or a double."""
        names = sorted(file.name for file in (ROOT / "migrations").iterdir())
        assert all(re.fullmatch(r"\d{4}_[a-z0-9_]+(\.sqlite|\.postgresql)?\.sql", name) for name in names), names
        numbers = [0, *sorted({int(name[:4]) for name in names})]
        assert all(later == earlier + 1 for earlier, later in pairwise(numbers)), names
        assert len({name[:4] for name in names}) == len({name.partition(".")[0] for name in names}), names

    def test_every_make_target_is_in_the_menu(self) -> None:
        """A target without its ## line would stay unknown."""
        makefile = (ROOT / "Makefile").read_text("utf-8")
        (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
        assert re.findall(r"^([a-z]+):.*## \S", makefile, re.MULTILINE) == phony.split()
