"""The settings of a Stripe connection."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class StripeOptions:
    """How payments are read: `tax` says whether commission is taken from prices with tax."""

    tax: Literal["excluded", "included"] = "excluded"


def options_of(context: Context) -> StripeOptions:
    """Return the connection's options; a v1 webhook has the defaults."""
    return context.options if isinstance(context.options, StripeOptions) else StripeOptions()
