"""The files that commands write: whole or not at all, by one piece of code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hub.cli import output_files
from hub.cli.invocation import Fault
from hub.cli.output_files import target, write_whole
from hub.operations.money.ledger import ledger
from tests.cli.conftest import Operator

CLI = Path(output_files.__file__).parent
WRITES = re.compile(r"\.write_bytes\(|\.write_text\(|\.open\(\"[wxa]b?\"")
OTHERWISE = {
    "output_files.py": "it is the one piece of code",
    "docs.py": "a new folder of many files, which is removed and made again",
    "reconcile.py": "a file in a temporary folder, which the command reads itself",
}


def test_no_command_writes_files_by_itself() -> None:
    assert {file.name for file in CLI.glob("*.py") if WRITES.search(file.read_text("utf-8"))} == set(OTHERWISE)


def test_a_file_that_fails_in_its_midst_is_as_it_was_and_nothing_is_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for before in (None, b"before"):
        if before is not None:
            file.write_bytes(before)
        with pytest.raises(Fault, match="No space left on device"), target(file) as out:
            out.write(b"half")
            raise OSError(28, "No space left on device")
        assert [each.read_bytes() for each in tmp_path.iterdir()] == ([] if before is None else [before])


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    monkeypatch.setattr("hub.cli.output_files.os.fsync", lambda _: seen.append((tmp_path / "file").exists()))
    write_whole(tmp_path / "file", b"whole")
    assert (seen, (tmp_path / "file").read_bytes()) == ([False], b"whole")


def test_a_new_file_replaces_none_that_came_meanwhile(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with pytest.raises(Fault, match="exists already"), target(file, is_new=True) as out:
        file.write_bytes(b"another's")
        out.write(b"mine")
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"another's"]


async def _breaks_off(*_: Any) -> Any:
    yield []
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("words", "plant"),
    [
        (("ledger", "export"), lambda patch: patch.setattr(ledger, "export_ledger", _breaks_off)),
        (("audit",), lambda patch: patch.setattr("hub.cli.output_files.os.fsync", _full)),
    ],
    ids=["ledger export", "audit"],
)
def test_an_export_and_the_list_of_violations_leave_no_part(
    operator: Operator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...],
    plant: Callable[[pytest.MonkeyPatch], None],
) -> None:  # fmt: skip
    operator.merchant()
    folder = tmp_path / "files"
    folder.mkdir()
    plant(monkeypatch)
    assert "No space left on device" in operator.refused(*words, "--output", str(folder / "file"))
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    operator.run(*words, "--output", str(folder / "file"))
    assert [each.name for each in folder.iterdir()] == ["file"]


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")
