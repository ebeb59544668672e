"""Where a proof ended, kept in a file by `--heads FILE`, and the proof of the ledger that goes on from there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from hub.cli.invocation import FAULT, Fault, Invocation
from hub.cli.output import print_result, say, show_table
from hub.cli.output_files import write_whole
from hub.cli.replica import with_replica
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.domain.books.ledger import Head
    from hub.operations.money.ledger.ledger import HeadDocument
    from hub.operations.money.ledger.recent_proof import RecentDocument


@frozen
class Kept:
    """What a file keeps: when a proof ended (ms UTC), its heads, and the last change that an audit saw, if one did."""

    proved_at: int
    heads: Sequence[Head]
    change: int | None = None


def keep(file: Path, kept: Kept) -> None:
    """Write it to the file, all or nothing."""
    import orjson

    heads = [{"accountId": head.account_id, "entries": head.entries, "hash": head.hash} for head in kept.heads]
    document = {"provedAt": kept.proved_at, **({} if kept.change is None else {"change": kept.change}), "heads": heads}
    write_whole(file, orjson.dumps(document, option=orjson.OPT_INDENT_2))


def read_kept(file: Path) -> Kept:
    """Return what a file keeps; raise Fault if it has no heads."""
    import orjson

    from hub.domain.books.ledger import Head

    try:
        found: Any = orjson.loads(file.read_bytes())
        heads = [Head(str(each["accountId"]), int(each["entries"]), str(each["hash"])) for each in found["heads"]]
        return Kept(int(found["provedAt"]), heads, int(found["change"]) if "change" in found else None)
    except OSError as error:
        raise Fault(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Fault(f"{file} has no heads of a ledger: name a new file, and all is proved.") from error


def heads_of(documents: Sequence[HeadDocument]) -> list[Head]:
    """Return the heads that a proof printed."""
    from hub.domain.books.ledger import Head

    return [Head(each["accountId"], each["entries"], each["hash"]) for each in documents]


def verify_newer(invocation: Invocation, file: Path) -> None:
    """Prove what came since the heads of the file, and keep the new ones there if it holds."""
    from hub.operations.money.ledger.recent_proof import verify_since

    kept = read_kept(file)
    known = {head.account_id: head for head in kept.heads}
    found = with_replica(invocation, lambda store: verify_since(store, known, kept.proved_at))
    if found["ok"]:
        keep(file, Kept(system_clock(), heads_of(found["heads"]), kept.change))
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
