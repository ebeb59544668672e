"""Once-only acts: the idempotency key of a request is noted in the act's own transaction, its answer right after.

A key that is found without an answer means that the act was done, and that its answer is being stored or was lost with
the process. It is never done twice: a second request with the same key cannot note it again, and its transaction fails.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from attrs import frozen

from hub.http.errors import ApiError
from hub.http.response import NO_FIELDS, Reply
from hub.intake.submission import IdempotencyUse
from hub.sealing import Sealer, SealingFault
from hub.storage import Store, Tx

REPLAYED: Final = {"Idempotency-Replayed": "true"}


class Claimed(Exception):
    """Somebody else has noted the key meanwhile."""


@frozen
class Claim:
    """An idempotency key of a token, for one request; `now` is in ms UTC."""

    token_id: str
    use: IdempotencyUse
    now: int

    @property
    def fingerprint(self) -> str:
        """What the key stands for: the route and the digest of query and body."""
        return f"{self.use.route} {self.use.fingerprint}"


class ClaimingStore:
    """A store whose first writing transaction notes the key; everything else is the store's own."""

    def __init__(self, store: Store, claim: Claim) -> None:
        self._store = store
        self._claim = claim
        self.is_claimed = False

    def __getattr__(self, name: str) -> Any:
        """Return what the store itself has."""
        return getattr(self._store, name)

    @asynccontextmanager
    async def write(self, **options: Any) -> AsyncIterator[Tx]:
        """Open a writing transaction of the store."""
        async with self._store.write(**options) as tx:
            await self._note(tx)
            yield tx
        self.is_claimed = True

    async def transact(self, work: Any) -> Any:
        """Run work in a short writing transaction of the store."""

        async def noted(tx: Tx) -> Any:
            await self._note(tx)
            return await work(tx)

        done = await self._store.transact(noted)
        self.is_claimed = True
        return done

    async def _note(self, tx: Tx) -> None:
        if self.is_claimed:
            return
        claim = self._claim
        noted = await tx.run(
            "claim_token_answer",
            token_id=claim.token_id,
            key=claim.use.key,
            fingerprint=claim.fingerprint,
            now=claim.now,
        )
        if not noted:
            raise Claimed


def claiming(store: Store, claim: Claim) -> tuple[Store, ClaimingStore]:
    """Return a store that notes the key, as the acts see it and as it is."""
    claims = ClaimingStore(store, claim)
    return cast(Store, claims), claims


class Answers:
    """The stored answers; they are sealed, because one may hold a secret that is shown once."""

    def __init__(self, store: Store, sealer: Sealer) -> None:
        self._store = store
        self._sealer = Sealer.of([sealer.derived_key("token-answers")])

    async def earlier(self, claim: Claim) -> Reply | None:
        """Return the answer that was given under this key, None if there is none; raise the 409 or 422 of a key."""
        row = await self._store.fetch_one("token_answer", token_id=claim.token_id, key=claim.use.key)
        if row is None:
            return None
        if row["fingerprint"] != claim.fingerprint:
            message = "This idempotency key was used before with another request; nothing was done."
            raise ApiError(422, message, "idempotency_mismatch")
        if row["sealed_answer"] is None:
            raise in_flight()
        try:
            body = self._sealer.open(row["sealed_answer"], self._place(claim))
        except SealingFault:
            raise in_flight() from None  # the master key was changed since
        return Reply(row["status"], body, REPLAYED)

    async def keep(self, claim: Claim, reply: Reply) -> None:
        """Store the answer of an act that was done."""
        body = reply.body if isinstance(reply.body, bytes) else b""
        async with self._store.write() as tx:
            await tx.run(
                "keep_token_answer",
                token_id=claim.token_id,
                key=claim.use.key,
                status=reply.status,
                sealed_answer=self._sealer.seal(body, self._place(claim)),
            )

    def _place(self, claim: Claim) -> str:
        return f"{claim.token_id} {claim.use.key}"


def in_flight() -> ApiError:
    """Return the 409 of a key whose act is done or under way, and whose answer is not known."""
    message = (
        "A request with this idempotency key was done or is under way; repeat it in a moment. If this stays so, its "
        "answer was lost: read what it changed."
    )
    return ApiError(409, message, "idempotency_in_flight", headers={"Retry-After": "1", **NO_FIELDS})
