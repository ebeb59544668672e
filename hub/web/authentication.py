"""Who is calling, proved by a signature over the raw body (API specification, Authentication)."""

from __future__ import annotations

import hmac
import re
import secrets
from typing import Final

from multidict import CIMultiDictProxy, istr
from yarl import URL

from hub.domain.signing import TOLERANCE_SECONDS, string_to_sign, timestamp_seconds, verify
from hub.intake.submission import SignatureUse
from hub.web.addresses import within
from hub.web.callers import KEY_ID, Caller, Key
from hub.web.endpoint import Call
from hub.web.errors import ErrorDetail, unauthorized

KEY: Final = istr("X-API-Key")
TIMESTAMP: Final = istr("X-Timestamp")
SIGNED: Final = istr("X-Signature")
HEADERS: Final = (KEY, TIMESTAMP, SIGNED)
STRANGERS_SECRET: Final = secrets.token_bytes(43)
"""Signed with in place of an unknown key's secret, so that an unknown key costs what a bad signature costs."""
SIGNATURE: Final = re.compile(r"[0-9a-f]{64}").fullmatch
SHOWN_BYTES: Final = 200


Credentials = tuple[str, str, str]
"""Key id, timestamp and signature, as a request states them."""


def authenticate(call: Call, given: Credentials, key: Key | None) -> None:
    """Sets the call's caller and signature; raises the uniform 401 with its true errorCode in the log."""
    key_id, timestamp, signature = given
    secret = STRANGERS_SECRET if key is None else key.secret
    genuine = verify(secret, timestamp, call.raw, signature.encode("utf-8", "surrogateescape"))
    _conclude(call, key, key_id, timestamp, signature, genuine=genuine)


class RunningProof:
    """The proof of a body that is never at hand whole: its signature is reckoned while it comes in."""

    def __init__(self, call: Call, key: Key | None, key_id: str, timestamp: str, signature: str) -> None:
        self._call = call
        self._key = key
        self._given = key_id, timestamp, signature
        secret = STRANGERS_SECRET if key is None else key.secret
        self._mac = hmac.new(secret, string_to_sign(timestamp, b""), "sha256")

    @classmethod
    async def begin(cls, call: Call) -> RunningProof:
        """Finds the key, which proves nothing yet; raises the uniform 401 where a header is missing or there twice."""
        key_id, timestamp, signature = credentials(call.headers)
        return cls(call, await call.services.keys.find(key_id, call.received_at), key_id, timestamp, signature)

    @property
    def hopeful(self) -> Caller | None:
        """Who calls, if the signature holds; None where it is certain by now that the request will be refused."""
        _, timestamp, signature = self._given
        key, seconds = self._key, timestamp_seconds(timestamp)
        refused = key is None or _fault(key, self._call, seconds, genuine=SIGNATURE(signature) is not None) is not None
        return None if key is None or refused else key.caller

    @property
    def seconds_left(self) -> int:
        """How long the body may take: what comes later than a used signature is remembered could be a replay of it."""
        arrived, signed = self._call.received_at // 1000, timestamp_seconds(self._given[1])
        if signed is None or abs(arrived - signed) > TOLERANCE_SECONDS:
            return TOLERANCE_SECONDS
        return signed + 2 * TOLERANCE_SECONDS - arrived

    def update(self, block: bytes) -> None:
        """Takes the next bytes of the body."""
        self._mac.update(block)

    def conclude(self) -> None:
        """Sets the call's caller and signature; raises the uniform 401 with its true errorCode in the log."""
        reckoned = self._mac.hexdigest().encode("ascii")
        genuine = hmac.compare_digest(reckoned, self._given[2].encode("utf-8", "surrogateescape"))
        _conclude(self._call, self._key, *self._given, genuine=genuine)


def refuse_replayed_read(call: Call, target: URL) -> None:
    """A signature reads one path and query once; writes have the store's own, durable memory."""
    signed = call.signature
    if signed is not None:
        use = call.caller.key_id, signed.signature, target.raw_path, target.raw_query_string
        if call.services.replays.first_use(signed.signed_at, use, call.received_at // 1000):
            return
    raise unauthorized("signature_replayed")


def _conclude(call: Call, key: Key | None, key_id: str, timestamp: str, signature: str, *, genuine: bool) -> None:
    if key is None:
        named = {"keyId": key_id} if KEY_ID.fullmatch(key_id) else {}
        raise unauthorized("unknown_key", {**_evidence(call, timestamp), **named})
    call.caller = key.caller
    seconds = timestamp_seconds(timestamp)
    code = _fault(key, call, seconds, genuine=genuine)
    if code is not None or seconds is None:
        raise unauthorized(code or "bad_timestamp", _evidence(call, timestamp))
    call.signature = SignatureUse(seconds, signature)


def credentials(headers: CIMultiDictProxy[str]) -> Credentials:
    """What the headers say; raises the uniform 401 where one of them is missing or there twice."""
    keys, timestamps, signatures = headers.getall(KEY, ()), headers.getall(TIMESTAMP, ()), headers.getall(SIGNED, ())
    if len(keys) == len(timestamps) == len(signatures) == 1 and keys[0] and timestamps[0] and signatures[0]:
        return keys[0], timestamps[0], signatures[0]
    twice = [name for name in HEADERS if len(headers.getall(name, ())) > 1]
    if twice:
        raise unauthorized("duplicate_header", {"headers": twice})
    raise unauthorized("missing_header", {"headers": [name for name in HEADERS if not headers.get(name)]})


def _fault(key: Key, call: Call, seconds: int | None, *, genuine: bool) -> str | None:
    fault = key.fault(call.received_at)
    if fault is not None:
        return fault
    if seconds is None:
        return "bad_timestamp"
    if abs(call.received_at // 1000 - seconds) > TOLERANCE_SECONDS:
        return "timestamp_out_of_range"
    if not genuine:
        return "bad_signature"
    if key.networks and not within(call.client, key.networks):
        return "ip_not_allowed"
    return None


def _evidence(call: Call, timestamp: str) -> ErrorDetail:
    """What a merchant needs to find the fault: what we signed (its first bytes) and how far the clocks differ."""
    seconds = timestamp_seconds(timestamp)
    # What is no timestamp may be a signature or a secret in the wrong header, and those are never logged in full.
    shown = timestamp if seconds is not None else timestamp[:20]
    signed = string_to_sign(shown, call.raw[:SHOWN_BYTES])[:SHOWN_BYTES]
    return {
        "signedString": signed.decode("utf-8", "backslashreplace"),
        "clockSkewSeconds": None if seconds is None else seconds - call.received_at // 1000,
    }
