"""`hub token`: bearer tokens of operators, affiliates and merchants."""

from __future__ import annotations

from typing import Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, print_result, show_fields
from hub.clock import system_clock
from hub.domain.instants import instant_or_none
from hub.domain.words import MODES


@click.group()
def token() -> None:
    """Issue and revoke bearer tokens."""


@token.command()
@click.option(
    "--scope", "scopes", required=True, multiple=True, metavar="SCOPE",
    help="Like admin:read, payouts:write or orders:read; may be repeated.",
)  # fmt: skip
@click.option("--affiliate", metavar="AFF", help="Whose, for the scopes of affiliates.")
@click.option("--merchant", metavar="MER", help="Whose, for the scopes of merchants.")
@click.option("--mode", type=click.Choice(MODES), default="test", show_default=True, help="Of a merchant's account.")
@click.option("--name", default="made at the terminal", show_default=True, help="What it is for.")
@click.option(
    "--expires", metavar="DURATION", default="365d", show_default=True, help="How long it is valid, like 90d, or never."
)
@click.option(
    "--allow-ip", "allowed", multiple=True, metavar="CIDR", help="Allow requests from this range only; may be repeated."
)
@invoked
def create(
    invocation: Invocation,
    scopes: tuple[str, ...],
    affiliate: str | None,
    merchant: str | None,
    mode: str,
    name: str,
    expires: str,
    allowed: tuple[str, ...],
) -> None:
    """Issue a token; it is shown once."""
    from hub.operations.users.api_tokens import NewToken, create_token

    wanted = NewToken(name, scopes, affiliate, None if expires == "never" else expires, allowed, None, merchant, mode)
    made = invocation.with_store(lambda store: create_token(store, system_clock, wanted))
    fields = {
        "token": made.token,
        "scopes": made.scopes,
        "allowed from": made.allowed_ips or "any address",
        "expires": instant_or_none(made.expires_at) or "never",
    }
    print_result(invocation, made, lambda: show_fields(made.id, fields))


TOKENS: Final = Table(
    ["token", "name", "scopes", "of", "allowed from", "expires", "revoked", "last used"],
    lambda t: (t.id, t.name, t.scopes, t.user_id or t.affiliate_id or t.merchant_id, t.allowed_ips,
               *map(instant_or_none, (t.expires_at, t.revoked_at, t.last_used_at))),
    "There are no tokens. Make one: hub token create --scope admin:read",
)  # fmt: skip

token.add_command(
    ActCommand("list", "tokens.listTokens", "List all tokens, newest first, without their secrets.", TOKENS)
)
token.add_command(
    ActCommand("revoke", "tokens.revokeToken", "Revoke a token at once.", "{id} is revoked since {revokedAt}.",
               Takes(on={"token": Value("", metavar="TOK")}))
)  # fmt: skip
