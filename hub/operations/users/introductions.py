"""Who let a person in, noted with the act that does it: whoever can be another is not a second person beside them."""

from __future__ import annotations

from typing import Final, TypedDict

from attrs import frozen

from hub.domain.instants import format_instant
from hub.domain.words import IntroductionMeans
from hub.operations.errors import OperatorFault
from hub.operations.trail import Actor, current_actor
from hub.storage import Store, Tx

TERMINAL: Final = ""
"""Who has the terminal has the database, so nothing is held against those whom it lets in."""


@frozen
class Issuer:
    """Who makes a link or an account: a user, a token of nobody, or `TERMINAL`; and the token by which, if by one."""

    id: str
    token_id: str | None = None


class IntroductionDocument(TypedDict):
    """Who let a person in, how (`account`, `link`, `role`, `factors` or `address`), by which token, and when last."""

    by: str
    byName: str | None
    means: str
    tokenId: str | None
    at: str


async def list_introductions(store: Store, user_id: str) -> list[IntroductionDocument]:
    """Return who let a person in, newest first."""
    async with store.read() as tx:
        rows = await tx.all("introductions_of", user_id=user_id)
    return [
        {"by": row["introduced_by"], "byName": row["name"], "means": row["means"], "tokenId": row["token_id"],
         "at": format_instant(row["introduced_at"])}
        for row in rows
    ]  # fmt: skip


def issuer_now() -> Issuer:
    """Return who acts, as the one who lets a person in."""
    actor = current_actor()
    return Issuer(TERMINAL if _is_the_hubs_own(actor) else actor.id, actor.token_id)


async def note_introduction(
    tx: Tx, now: int, user_id: str, means: IntroductionMeans, issuer: Issuer | None = None
) -> None:
    """Note that a person was let in by `issuer`, the one who acts if it is left out."""
    by = issuer or issuer_now()
    if by.id not in (TERMINAL, user_id):
        await tx.run(
            "put_introduction", user_id=user_id, introduced_by=by.id, means=means, token_id=by.token_id, now=now
        )


def refuse_token_for_administrators(*roles: str) -> None:
    """Raise `OperatorFault` if a token acts and one of these roles is an administrator's: a person lets those in."""
    if "operator-admin" in roles and current_actor().source == "api":
        raise OperatorFault(
            "A token lets no administrator in and takes none of their ways in away; an administrator does it at "
            "/operator/users.",
            command="At the terminal: hub user invite, grant, enable or reset-factors.",
        )


def _is_the_hubs_own(actor: Actor) -> bool:
    """Return whether the terminal acts, or the hub itself for somebody who asks at its pages."""
    return actor.kind == "system" and actor.source != "api"
