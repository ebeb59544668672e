"""What is wrong with a platform's delivery: the usual mistakes are tried, and the one that was made is named.

Each attempt asks the same question as the hub does when a delivery arrives, `genuine`, with one thing changed: how the
digest is written, the secret, the body. Nothing here returns a whole signature or a secret.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from attrs import evolve

from hub.domain.connectors.connector import Auth, Headers, SecretHeader, TimestampHmac
from hub.domain.connectors.deliveries import beginnings, genuine
from hub.domain.connectors.jwt_body import JwtBody, claims_of
from hub.domain.signature_diagnosis import other_bodies, other_secrets

ALGORITHMS: Final[tuple[Literal["sha1", "sha256", "sha512"], ...]] = ("sha1", "sha256", "sha512")
ENCODINGS: Final[tuple[Literal["base64", "hex"], ...]] = ("base64", "hex")
PREFIXES: Final = ("sha1=", "sha256=", "sha512=", "hmac=", "v1=", "Bearer ")
ANY_TIME_SECONDS: Final = 10**12

Blame = Literal["header", "time", "encoding", "secret", "body"]


class SentDelivery(NamedTuple):
    """A delivery as it was sent: the header with the proof, the other headers (in lower case), and the exact body."""

    proof: str
    body: bytes
    headers: Headers


class KnownSecrets(NamedTuple):
    """The secrets of a connection that are live (the newest last) and ended, and those of others by their names."""

    live: Sequence[bytes]
    ended: Sequence[bytes]
    others: Mapping[str, Sequence[bytes]]


class DeliveryDiagnosis(NamedTuple):
    """Whether a delivery is genuine, and what is to blame for it if not, None if no usual mistake explains it.

    `mistake` is a sentence. `computed` and `given` are how the proofs begin that the hub makes with the newest live
    secret and that was sent; None if the platform sends the secret itself.
    """

    genuine: bool
    blame: Blame | None
    mistake: str | None
    computed: str | None
    given: str | None


def diagnose_delivery(auth: Auth, secrets: KnownSecrets, sent: SentDelivery, now: int) -> DeliveryDiagnosis:
    """Return what is wrong with a delivery that arrives at `now` (ms UTC)."""
    computed, given = beginnings(auth, secrets.live, sent.proof, sent.body, sent.headers)
    if genuine(auth, secrets.live, sent.proof, sent.body, sent.headers, now):
        return DeliveryDiagnosis(True, None, None, computed, given)
    found = next((mistake for mistake in _attempts(auth, secrets, sent, now) if mistake[2]), None)
    return DeliveryDiagnosis(False, found and found[0], found and found[1], computed, given)


def proof_words(auth: Auth) -> str:
    """Return what the header of a delivery has to hold, to complete "The header X has to hold ..."."""
    if isinstance(auth, SecretHeader):
        return "the secret itself"
    if isinstance(auth, JwtBody):
        return "nothing: the body is a JSON Web Token that the platform signed (RS256)"
    digest = f"HMAC-{auth.algorithm.upper()}, in {auth.encoding}"
    if isinstance(auth, TimestampHmac):
        return f"{digest}, of {auth.signed}"
    return f"{digest}{f' after {auth.prefix}' if auth.prefix else ''}, of the body"


def _attempts(auth: Auth, secrets: KnownSecrets, sent: SentDelivery, now: int) -> Iterator[tuple[Blame, str, bool]]:
    """Yield what may be to blame, its sentence, and whether it explains the delivery."""
    if isinstance(auth, JwtBody):
        yield from _token_attempts(auth, secrets, sent, now)
        return
    yield "header", f"The header {auth.header} is missing.", not sent.proof
    at_any_time = evolve(auth, tolerance_seconds=ANY_TIME_SECONDS) if isinstance(auth, TimestampHmac) else auth

    def proves(keys: Sequence[bytes], changed: SentDelivery = sent, other: Auth = at_any_time) -> bool:
        return genuine(other, keys, changed.proof, changed.body, changed.headers, now)

    yield "time", "The signature is right, but its time is too far from the hub's clock.", proves(secrets.live)
    written = f"The proof is right, but written in another way: {auth.header} has to hold {proof_words(auth)}."
    for other, proof in _other_writings(at_any_time, sent.proof):
        yield "encoding", written, proves(secrets.live, sent._replace(proof=proof), other)
    ended = "It was made with a secret of this connection that has ended: give the platform the new one."
    yield "secret", ended, proves(secrets.ended)
    for name, keys in secrets.others.items():
        yield (
            "secret",
            f"It was made with the secret of another connection, {name}: each store has its own.",
            proves(keys),
        )
    if isinstance(auth, SecretHeader):
        return
    for secret in secrets.live:
        for sentence, key in other_secrets(secret):
            yield "secret", sentence, proves([key])
    for algorithm in ALGORITHMS:
        sentence = f"It was made with {algorithm.upper()}: {auth.header} has to hold {proof_words(auth)}."
        yield "encoding", sentence, proves(secrets.live, sent, evolve(auth, algorithm=algorithm))
    for sentence, body in other_bodies(sent.body):
        yield "body", sentence, proves(secrets.live, sent._replace(body=body))


def _token_attempts(
    auth: JwtBody, secrets: KnownSecrets, sent: SentDelivery, now: int
) -> Iterator[tuple[Blame, str, bool]]:
    at_any_time = evolve(auth, tolerance_seconds=ANY_TIME_SECONDS)
    token = sent.body.strip()

    def proves(keys: Sequence[bytes]) -> bool:
        return genuine(at_any_time, keys, "", token, sent.headers, now)

    yield "body", "The body is no JSON Web Token: three parts with dots between them.", not claims_of(token)
    yield "time", "The signature is right, but the token has ended by the hub's clock.", proves(secrets.live)
    yield "secret", "It was signed with a key of this connection that has ended.", proves(secrets.ended)
    for name, keys in secrets.others.items():
        yield "secret", f"It was signed with the key of another connection, {name}.", proves(keys)


def _other_writings(auth: Auth, proof: str) -> Iterator[tuple[Auth, str]]:
    """Yield the ways in which a proof may have been written instead, with the part of it that counts."""
    plain = proof.strip().strip("\"'")
    for prefix in PREFIXES:
        plain = plain.removeprefix(prefix)
    if isinstance(auth, SecretHeader | JwtBody):
        yield auth, plain
        return
    if isinstance(auth, TimestampHmac):
        for encoding in ENCODINGS:
            yield evolve(auth, encoding=encoding), proof.strip()
        return
    for text in (plain, plain.replace("-", "+").replace("_", "/"), _inner(plain)):
        for encoding in ENCODINGS:
            padded = text + "=" * (-len(text) % 4) if encoding == "base64" else text
            yield evolve(auth, prefix="", encoding=encoding), padded


def _inner(text: str) -> str:
    """Return what was written in base64 once more than is wanted, such as hex digits; empty for anything else."""
    try:
        return base64.b64decode(text, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return ""
