"""The heads that `hub ledger verify --heads FILE` proved, kept in a file, and the proof that goes on from them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import FAULT, Fault, Invocation
from hub.cli.output import print_result, say, show_table
from hub.cli.replica import with_replica
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.domain.ledger import Head
    from hub.operations.money.ledger import HeadDocument
    from hub.operations.money.recent_proof import RecentDocument


def keep_heads(file: Path, heads: Sequence[HeadDocument], proved_at: int) -> None:
    """Write heads to the file, all or none of them; `proved_at` (ms UTC) is when their proof ended."""
    import orjson

    content = orjson.dumps({"provedAt": proved_at, "heads": heads}, option=orjson.OPT_INDENT_2)
    beside = file.with_name(f"{file.name}.new")
    try:
        with beside.open("wb") as written:
            written.write(content)
            written.flush()
            os.fsync(written.fileno())
        beside.replace(file)
    except OSError as error:
        raise Fault(f"{file} cannot be written: {error.strerror}.") from error


def read_heads(file: Path) -> tuple[Mapping[str, Head], int]:
    """Return the heads of a file by account, and when they were proved (ms UTC); raise Fault if it has none."""
    import orjson

    from hub.domain.ledger import Head

    try:
        kept: Any = orjson.loads(file.read_bytes())
        heads = [Head(str(each["accountId"]), int(each["entries"]), str(each["hash"])) for each in kept["heads"]]
        return {head.account_id: head for head in heads}, int(kept["provedAt"])
    except OSError as error:
        raise Fault(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Fault(f"{file} has no heads of a ledger: name a new file, and all is proved.") from error


def verify_newer(invocation: Invocation, file: Path) -> None:
    """Prove what came since the heads of the file, and keep the new ones there if it holds."""
    from hub.operations.money.recent_proof import verify_since

    known, proved_at = read_heads(file)
    found = with_replica(invocation, lambda store: verify_since(store, known, proved_at))
    if found["ok"]:
        keep_heads(file, found["heads"], system_clock())
    print_result(invocation, found, lambda: _show(found))
    if not found["ok"]:
        click.get_current_context().exit(FAULT)


def _show(found: RecentDocument) -> None:
    say(f"Entries proved now: {found['entries']}, after {found['before']} that were proved before.")
    say(
        f"Commissions compared: {found['commissions']}, of {found['partly']} only where they are. Head: {found['head']}"
    )
    if found["ok"]:
        click.secho("All that is new holds.", fg="green", bold=True)
        return
    click.secho(f"{len(found['faults'])} faults", fg="red", bold=True)
    show_table(["account", "entry", "what is wrong"],
               [(each["accountId"], each["entry"], each["message"]) for each in found["faults"]], "")  # fmt: skip
