"""The controls of the proof of commands: what is careful in them is taken away. Each must be caught.

A rotation drops the old master key before it has sealed anything anew, a restore writes over the database, an export
writes under the name of its file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from hub.cli import main, output_files
from hub.operations.system import backups, secret_rotation
from hub.sealing import key_file, write_key_file
from hub.storage.sqlite import backup

_honest_rotation = secret_rotation.rotate_secrets


async def _drop_first(store: Any, sealer: Any, clock: Any, *, shared: bool) -> Any:
    database = Path(os.environ["HUB_DATABASE_URL"].removeprefix("sqlite:///"))
    write_key_file(key_file(database), [sealer.keys[sealer.current]])
    return await _honest_rotation(store, sealer, clock, shared=shared)


def _over(file: Path, database: Path, _aside: Path) -> backup.BackupReport:
    database.with_name(f"{database.name}.begun").touch()
    with file.open("rb") as source, database.open("r+b") as target:
        while block := source.read(65_536):
            target.write(block)
            target.flush()
            time.sleep(0.002)
    return backup.verify(database)


@contextmanager
def _under_its_name(path: Path | None) -> Iterator[BinaryIO]:
    assert path is not None
    with path.open("wb") as file:
        yield file


if __name__ == "__main__":
    secret_rotation.rotate_secrets = _drop_first  # the control's fault
    output_files.target = _under_its_name  # type: ignore[assignment]  # the control's fault
    backups.restore = _over  # type: ignore[attr-defined, assignment]  # the control's fault
    main()
