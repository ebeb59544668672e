"""`hub product`: the catalogue of an account."""

from __future__ import annotations

from typing import Any

import click

from hub.cli.invocation import Command, Invocation, invoked
from hub.cli.output import print_result, show_fields, show_table
from hub.clock import system_clock
from hub.domain.words import MODES, PRODUCT_STATUSES


@click.group(epilog="Many products at once: hub csv apply.")
def product() -> None:
    """List, show and change single products of an account."""


def account_options(command: Command) -> Command:
    """Add the options that name an account."""
    mode = click.option("--mode", required=True, type=click.Choice(MODES), help="In which account.")
    return click.option("--merchant", required=True, metavar="ID", help="Whose products.")(mode(command))


@product.command(name="list")
@account_options
@click.option("--search", help="A part of the name, the id or the brand.")
@click.option("--status", type=click.Choice(PRODUCT_STATUSES), help="Only these.")
@click.option("--limit", type=click.IntRange(1), help="List at most this many (default: 50; with --json all).")
@invoked
def list_(invocation: Invocation, merchant: str, mode: str, search: str | None, status: str | None,
          limit: int | None) -> None:  # fmt: skip
    """List products, newest first."""
    from hub.operations.campaigns.products import ProductDocument, list_products, products_part
    from hub.operations.lists import Wanted
    from hub.operations.references import account_id_of
    from hub.storage import Store

    async def read(store: Store) -> list[ProductDocument]:
        account_id = await account_id_of(store, merchant, mode)
        wanted = Wanted({"search": search, "status": status}, limit or 50)
        if limit is None and invocation.json:
            return await list_products(store, account_id, wanted)
        return (await products_part(store, account_id, wanted)).entries

    found = invocation.with_store(read)
    columns = ["product", "name", "status", "amount", "currency", "id"]
    rows = [(p["externalProductId"], p["name"], p["status"], p["price"], p["currency"], p["id"]) for p in found]
    print_result(invocation, found, lambda: show_table(columns, rows, "There is no such product."))


@product.command()
@account_options
@click.argument("product", metavar="PRODUCT")
@invoked
def show(invocation: Invocation, merchant: str, mode: str, product: str) -> None:
    """Show one product, by the hub's id or the merchant's."""
    from hub.operations.campaigns.products import ProductDocument, show_product
    from hub.operations.references import account_id_of
    from hub.storage import Store

    async def read(store: Store) -> ProductDocument:
        return await show_product(store, await account_id_of(store, merchant, mode), product)

    found = invocation.with_store(read)
    print_result(invocation, found, lambda: show_fields(found["name"], found))


@product.command()
@account_options
@click.argument("fields", metavar="NAME=VALUE", nargs=-1, required=True)
@invoked
def put(invocation: Invocation, merchant: str, mode: str, fields: tuple[str, ...]) -> None:
    """Create a product, or replace the one with the same externalProductId.

    The names are those of the API: externalProductId, name, productUrl and price are needed.
    """
    from hub.operations.campaigns.products import put_product
    from hub.validation.input_reader import fields_of
    from hub.validation.inputs import ProductInput

    names = [each.wire for each in fields_of(ProductInput)]
    given: dict[str, Any] = dict(field.partition("=")[::2] for field in fields)
    stray = [name for name in given if name not in names]
    if stray:
        raise click.UsageError(f"{', '.join(stray)}: the names are {', '.join(names)}.")
    stored = invocation.with_store(lambda store: put_product(store, system_clock, merchant, mode, given))
    print_result(invocation, stored, lambda: show_fields(stored["name"], stored))


@product.command()
@account_options
@click.argument("product", metavar="PRODUCT")
@click.argument("status", type=click.Choice(PRODUCT_STATUSES))
@invoked
def status(invocation: Invocation, merchant: str, mode: str, product: str, status: str) -> None:
    """Set a product's status."""
    from hub.operations.campaigns.products import set_product_status

    changed = invocation.with_store(
        lambda store: set_product_status(store, system_clock, merchant, mode, product, status)
    )
    print_result(invocation, changed, lambda: show_fields(changed["name"], changed))
