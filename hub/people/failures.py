"""Counting what failed: a pause that grows with each failure of an address and of an account.

A failure is counted before anything is verified and taken back after a success, so that guesses that come at the same
moment cannot pass a pause that none of them has caused yet. Everybody locks the rows of an address before those of an
account, so no two sign-ins can wait for each other. An address is its group: who has one of IPv6 has 2^64 of them.
"""

from __future__ import annotations

from hashlib import sha256

from hub.http.admission import address_group
from hub.operations.users.login_links import token_digest
from hub.operations.users.users import email_key
from hub.people.pauses import ACCOUNT_MOST_MS, ADDRESS_MOST_MS, STRANGERS_MAILS, failures_after, waits_ms
from hub.people.sessions import Client
from hub.storage import Tx


class Paused(Exception):
    """The address or the account has failed too often; `seconds` is how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"wait {seconds} s")
        self.seconds = seconds


async def count_attempt(tx: Tx, now: int, client: Client, account: str) -> None:
    """Count an attempt of an address and of an account, by any key; raise `Paused`, which undoes the transaction."""
    await count(tx, _address(client), now, ADDRESS_MOST_MS)
    await count(tx, _account(account), now, ACCOUNT_MOST_MS)


async def forgive_attempt(tx: Tx, client: Client, account: str) -> None:
    """Take an attempt back that has succeeded."""
    await tx.run("forgive_sign_in_failures", address_origin=_address(client), account_origin=_account(account))


async def count(tx: Tx, origin: str, now: int, most_ms: int) -> None:
    """Count a failure of an origin; raise `Paused`, which undoes the transaction, if it has to wait."""
    row = await tx.one("hold_sign_in_failures", origin=origin, now=now)
    failures, failed_at = (0, now) if row is None else (row["failures"], row["failed_at"])
    wait = waits_ms(failures, failed_at, now, most_ms)
    if wait:
        raise Paused(-(-wait // 1000))
    await tx.run("set_sign_in_failures", origin=origin, failures=failures_after(failures, failed_at, now), now=now)


async def count_request(tx: Tx, now: int, client: Client, email: str) -> None:
    """Count a request for a mail, of the client and of the address that it names; raise `Paused` as `count` does."""
    await count(tx, f"asks:{address_group(client.address)}", now, ADDRESS_MOST_MS)
    await count(tx, f"asked:{_digest(email)}", now, ADDRESS_MOST_MS)


async def may_be_mailed(tx: Tx, now: int, email: str) -> bool:
    """Count a mail to an address that a stranger named; return whether it may go, as three in a row of a day may."""
    origin = f"mailed:{_digest(email)}"
    row = await tx.one("hold_sign_in_failures", origin=origin, now=now)
    mails = 1 if row is None else failures_after(row["failures"], row["failed_at"], now)
    if mails <= STRANGERS_MAILS:
        await tx.run("set_sign_in_failures", origin=origin, failures=mails, now=now)
    return mails <= STRANGERS_MAILS


def _address(client: Client) -> str:
    return f"address:{address_group(client.address)}"


def _digest(email: str) -> str:
    return token_digest(email_key(email))


def _account(account: str) -> str:
    return f"account:{sha256(account.encode()).hexdigest()}"
