"""What proves the hub to a platform: the answer to a question whether it knows the secret, and its word for a delivery.

Pure functions over the raw query and the raw body.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from urllib.parse import parse_qsl

from hub.domain.connectors.connector import Challenge


def challenge_answer(
    challenge: Challenge, secrets: Sequence[bytes], given: str, query: str, url: str
) -> Mapping[str, str] | None:
    """Return the JSON object that answers a question; None if the question is not one, or not signed with a secret.

    `given` is the value of the challenge's header, `query` the raw query string, `url` the connection's.
    """
    asked = dict(parse_qsl(query, keep_blank_values=True))
    signatures = [hmac.digest(secret, query.encode(), "sha256").hex() for secret in secrets]
    matches = [hmac.compare_digest(signature, given) for signature in signatures if given.isascii()]
    if True not in matches or not set(challenge.asks) <= set(asked):
        return None
    secret = secrets[matches.index(True)]
    signed = _filled(challenge.signed, asked)
    words = {"digest": hmac.digest(secret, signed.encode(), "sha256").hex(), "secret": secret.decode(), "url": url}
    return {name: _filled(text, words) for name, text in challenge.answer}


def taken_proof(secrets: Sequence[bytes], body: bytes) -> str:
    """Return what proves that the hub took a delivery: for each secret an HMAC-SHA256 over its digest, in hex.

    Whatever else answers 200 at the hub's address, such as a parked domain, cannot say it.
    """
    said = f"taken:{sha256(body).hexdigest()}".encode()
    return ", ".join(hmac.digest(secret, said, "sha256").hex() for secret in secrets)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text
