"""What a browser has begun and has to finish within minutes: bound to its cookie, and used once."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from hub.operations.users.login_links import token_digest
from hub.storage import Tx

STEP_MS: Final = 10 * 60_000

Kind = Literal["second-factor", "passkey", "new-passkey", "new-app"]


class Step(NamedTuple):
    """A step: whose it is (None: nobody has said yet), and its challenge, secret or beginning."""

    user_id: str | None
    value: str


async def put_step(tx: Tx, now: int, browser: str, kind: Kind, step: Step) -> None:
    """Store a step of the browser with this cookie, in place of an earlier one of its kind."""
    await tx.run(
        "put_sign_in_step",
        token_hash=token_digest(browser),
        kind=kind,
        user_id=step.user_id,
        value=step.value,
        expires_at=now + STEP_MS,
    )


async def see_step(tx: Tx, now: int, browser: str, kind: Kind) -> Step | None:
    """Return a step of a browser and leave it; None if there is none or it is too old."""
    row = await tx.one("sign_in_step", token_hash=token_digest(browser), kind=kind, now=now)
    return None if row is None else Step(row["user_id"], row["value"])


async def take_step(tx: Tx, now: int, browser: str, kind: Kind) -> Step | None:
    """Use a step of a browser up and return it; None if there is none or it is too old."""
    row = await tx.one("take_sign_in_step", token_hash=token_digest(browser), kind=kind, now=now)
    return None if row is None else Step(row["user_id"], row["value"])
