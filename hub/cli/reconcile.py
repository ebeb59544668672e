"""`hub reconcile`: a shop's own list of orders compared with the hub's."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_fields, show_table
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.orders.reconciliation import Reconciliation, ReconciliationDocument

LISTED = 50
"""How many differences of a kind a table shows; --json has more."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose account.")
@click.option("--mode", required=True, type=click.Choice(MODES), help="Which of its two accounts.")
@click.option("--apply", "applies", is_flag=True, help="Send the missing orders in, as `hub csv apply orders` does.")
@invoked
def reconcile(invocation: Invocation, file: Path, merchant_id: str, mode: str, applies: bool) -> None:
    """Compare a shop's own list of orders with the hub's: missing, extra, different amount or status.

    FILE is CSV with the columns of `hub csv template orders`; externalOrderId and orderAmount are enough.
    """
    from hub.operations.orders.reconciliation import reconcile as compare

    found = invocation.with_store(lambda store: compare(store, file, merchant_id, mode))
    applied = _apply(invocation, file, found, merchant_id, mode) if applies and found.missing else None
    document = {**found.document, "applied": applied}
    print_result(invocation, document, lambda: _show(found.document, applied))


def _apply(invocation: Invocation, file: Path, found: Reconciliation, merchant_id: str, mode: str) -> dict[str, Any]:
    from hub.cli.csv_apply import checked_arguments, run_file
    from hub.operations.orders.reconciliation import rows_of

    with tempfile.TemporaryDirectory() as folder:
        missing = Path(folder) / "missing-orders.csv"
        with missing.open("w", encoding="utf-8", newline="") as target:
            csv.writer(target).writerows(rows_of(file, found.missing))
        arguments = checked_arguments("orders", missing, None, merchant_id, mode, dry_run=False)
        upload = run_file(invocation, arguments).upload
    return {"created": upload.created, "duplicate": upload.duplicate, "failed": upload.failed}


def _show(found: ReconciliationDocument, applied: dict[str, Any] | None) -> None:
    show_fields("Orders", {
        "in the file": found["orders"], "agree": found["agree"], "missing here": found["missing"],
        "only here": found["extra"], "another amount": found["amountDiffers"],
        "another status": found["statusDiffers"], "not readable": len(found["faults"]), "sent in": applied,
    })  # fmt: skip
    rows = [
        (what, each["externalOrderId"], each["shop"], each["hub"])
        for what, listed in (
            ("missing here", found["missingOrders"]), ("only here", found["extraOrders"]),
            ("another amount", found["amounts"]), ("another status", found["statuses"]),
        )
        for each in listed[:LISTED]
    ]  # fmt: skip
    show_table(["what", "order", "shop", "hub"], rows, "Both lists agree.")
