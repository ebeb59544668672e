"""The settings of a WooCommerce connection."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class WooOptions:
    """How this shop's orders are to be read.

    Statuses are slugs with or without "wc-". `tax` says whether commission is taken from prices with tax, `fees`
    whether fee lines count as goods, `failed_cancels` whether a failed payment ends an order that was never paid.
    """

    delivered_statuses: tuple[str, ...] = ("completed",)
    returned_statuses: tuple[str, ...] = ()
    failed_cancels: bool = False
    tax: Literal["excluded", "included"] = "excluded"
    fees: bool = False
    product_key: Literal["id", "sku", "variation"] = "id"


def options_of(context: Context) -> WooOptions:
    """Give the connection's options; a v1 webhook has the defaults."""
    return context.options if isinstance(context.options, WooOptions) else WooOptions()


def slugs(statuses: tuple[str, ...]) -> frozenset[str]:
    """Give slugs as bodies have them, without the prefix."""
    return frozenset(status.strip().lower().removeprefix("wc-") for status in statuses)
