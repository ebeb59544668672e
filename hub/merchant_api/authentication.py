"""Authenticate a caller by the signature over the raw body (API specification, Authentication), or by a token."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final, NamedTuple

from multidict import CIMultiDictProxy, istr
from yarl import URL

from hub.domain.redaction import redact
from hub.domain.signing import (
    TOLERANCE_SECONDS,
    sign_bytes,
    string_to_sign,
    string_to_sign_v2,
    timestamp_seconds,
    verify,
)
from hub.http.client_address import within
from hub.http.errors import ApiError, ErrorDetail, unauthorized
from hub.http.request import SHOWN_BYTES
from hub.intake.submission import SignatureUse
from hub.merchant_api.api_keys import KEY_ID, TOKEN_ID, Caller, Key
from hub.merchant_api.bearer import AUTHORIZATION, bearer_of, is_in_address
from hub.merchant_api.endpoint import Call
from hub.merchant_api.exchange import KEY_HEADER
from hub.operations.users.api_tokens import digest_of, split_token
from hub.sealing import DECOY_SECRET

TIMESTAMP: Final = istr("X-Timestamp")
SIGNED: Final = istr("X-Signature")
HEADERS: Final = (KEY_HEADER, TIMESTAMP, SIGNED)
NONCE: Final = istr("X-Nonce")
VERSION: Final = istr("X-Signature-Version")
VERSIONS: Final = {"1": 1, "2": 2}
WELL_FORMED_NONCE: Final = re.compile(r"[!-~]{1,64}").fullmatch
SIGNATURE: Final = re.compile(r"[0-9a-f]{64}").fullmatch


class Credentials(NamedTuple):
    """What a request states of its caller, and in which version of the signature; with a token, its secret part."""

    key_id: str
    timestamp: str
    signature: str
    nonce: str | None = None
    version: int = 1
    token: str | None = None


def credentials(headers: CIMultiDictProxy[str], target: str) -> Credentials:
    """Return what the headers state; raise the uniform 401 if one of them is missing or given twice.

    A token counts where there is no key; one in `target`, the path and query as sent, is refused: addresses are logged.
    """
    if KEY_HEADER not in headers and AUTHORIZATION in headers:
        if is_in_address(target):
            raise unauthorized("token_in_address")
        token_id, secret = split_token(bearer_of(headers))
        return Credentials(token_id, "", "", token=secret)
    keys, timestamps = headers.getall(KEY_HEADER, ()), headers.getall(TIMESTAMP, ())
    signatures = headers.getall(SIGNED, ())
    if len(keys) == len(timestamps) == len(signatures) == 1 and keys[0] and timestamps[0] and signatures[0]:
        stated = Credentials(keys[0], timestamps[0], signatures[0])
        return _with_options(stated, headers) if NONCE in headers or VERSION in headers else stated
    twice = [name for name in HEADERS if len(headers.getall(name, ())) > 1]
    if twice:
        raise unauthorized("duplicate_header", {"headers": twice})
    raise unauthorized("missing_header", {"headers": [name for name in HEADERS if not headers.get(name)]})


def _with_options(stated: Credentials, headers: CIMultiDictProxy[str]) -> Credentials:
    """Add the nonce and the version of the signature, which a request may leave out."""
    nonces, versions = headers.getall(NONCE, ()), headers.getall(VERSION, ())
    if len(nonces) > 1 or len(versions) > 1:
        raise unauthorized("duplicate_header", {"headers": [NONCE if len(nonces) > 1 else VERSION]})
    if nonces and not WELL_FORMED_NONCE(nonces[0]):
        raise unauthorized("bad_nonce")
    version = VERSIONS.get(versions[0]) if versions else 1
    if version is None:
        raise unauthorized("bad_signature_version")
    return stated._replace(nonce=nonces[0] if nonces else None, version=version)


def authenticate(call: Call, stated: Credentials, key: Key | None, method: str, target: str) -> None:
    """Set the call's caller and signature; raise the uniform 401, whose true errorCode goes to the log.

    `target` is the path and query as sent. An unknown key costs the same work as a wrong signature.
    """
    if stated.token is not None:
        _judge_token(call, stated, key)
        return
    secret = DECOY_SECRET if key is None else key.secret
    if stated.version == 1:
        text = string_to_sign(stated.timestamp, call.raw, stated.nonce)
    else:
        digest = hashlib.sha256(call.raw).hexdigest()
        text = string_to_sign_v2(stated.timestamp, stated.nonce, method, target, digest)
    genuine = verify(secret, text, stated.signature.encode("utf-8", "surrogateescape"))
    _set_caller(call, key, stated, genuine=genuine)


def _is_genuine(stated: Credentials, key: Key | None) -> bool:
    """Return whether the token's secret is right, by its digest; an unknown token costs the same work."""
    known = digest_of("").encode("ascii") if key is None else key.secret
    return hmac.compare_digest(digest_of(stated.token or "").encode("ascii"), known) and key is not None


def _judge_token(call: Call, stated: Credentials, key: Key | None) -> None:
    """Set the call's caller; raise the uniform 401, whose true errorCode goes to the log."""
    if key is None:
        token_id = {"keyId": stated.key_id} if TOKEN_ID.fullmatch(stated.key_id) else {}
        raise unauthorized("unknown_token", token_id)
    call.caller = key.caller
    code = _fault(key, call, stated, None, genuine=_is_genuine(stated, key))
    if code is not None:
        raise unauthorized(code)
    call.services.keys.note_proof(call.caller.key_id, call.client, call.received_at)


def claimed_caller(call: Call, stated: Credentials, key: Key | None) -> Caller | None:
    """Return the caller if the signature turns out right; None if the request will be refused in any case."""
    plausible = SIGNATURE(stated.signature) is not None if stated.token is None else _is_genuine(stated, key)
    if key is None or _fault(key, call, stated, timestamp_seconds(stated.timestamp), genuine=plausible) is not None:
        return None
    return key.caller


def refuse_by_headers(call: Call, stated: Credentials, key: Key | None) -> None:
    """Raise the uniform 401 if no body can be genuine: the signature is malformed, the timestamp malformed or stale.

    Whether the request is refused here does not depend on the key, so an early refusal does not show which keys exist.
    A token is judged whole.
    """
    if stated.token is not None:
        _judge_token(call, stated, key)
        return
    seconds = timestamp_seconds(stated.timestamp)
    stale = seconds is None or abs(call.received_at // 1000 - seconds) > TOLERANCE_SECONDS
    if stale or SIGNATURE(stated.signature) is None:
        _set_caller(call, key, stated, genuine=False)


class StreamingSignature:
    """The signature of a body that is never in memory whole, computed while the body arrives; a token has none."""

    def __init__(self, call: Call, key: Key | None, stated: Credentials, method: str, target: str) -> None:
        self._call = call
        self._key = key
        self._stated = stated
        self._method = method
        self._target = target
        self._secret = DECOY_SECRET if key is None else key.secret
        begun = string_to_sign(stated.timestamp, b"", stated.nonce)
        self._digest = hmac.new(self._secret, begun, "sha256") if stated.version == 1 else hashlib.sha256()

    @classmethod
    async def begin(cls, call: Call, method: str, target: str) -> StreamingSignature:
        """Find the key, which proves nothing yet; raise the uniform 401 if a header is missing or given twice."""
        stated = credentials(call.headers, target)
        is_token = stated.token is not None
        key = await call.services.keys.find(stated.key_id, call.received_at, is_token=is_token)
        if is_token:
            _judge_token(call, stated, key)
        return cls(call, key, stated, method, target)

    @property
    def claimed_caller(self) -> Caller | None:
        """The caller if the signature turns out right; None if the request will be refused in any case."""
        return claimed_caller(self._call, self._stated, self._key)

    @property
    def seconds_left(self) -> int:
        """How many seconds the body may take to arrive: after that its signature may be forgotten, and used again."""
        if self._stated.token is not None:
            return 2 * TOLERANCE_SECONDS
        received, signed = self._call.received_at // 1000, timestamp_seconds(self._stated.timestamp)
        if signed is None or abs(received - signed) > TOLERANCE_SECONDS:
            return TOLERANCE_SECONDS
        return signed + 2 * TOLERANCE_SECONDS - received

    def update(self, block: bytes) -> None:
        """Take the next bytes of the body."""
        self._digest.update(block)

    def conclude(self) -> None:
        """Set the call's caller and signature; raise the uniform 401, whose true errorCode goes to the log."""
        stated, computed = self._stated, self._digest.hexdigest()
        if stated.token is not None:
            return  # judged before the body was read
        if stated.version != 1:
            text = string_to_sign_v2(stated.timestamp, stated.nonce, self._method, self._target, computed)
            computed = sign_bytes(self._secret, text)
        given = stated.signature.encode("utf-8", "surrogateescape")
        genuine = hmac.compare_digest(computed.encode("ascii"), given)
        _set_caller(self._call, self._key, self._stated, genuine=genuine)


def refuse_replayed_read(call: Call, target: URL) -> None:
    """Raise a 401 if the signature was used for this path and query before; those of writes are in the store.

    They are compared as they are understood: `?%70age=1` and `?page=1&` are no other address than `?page=1`.
    """
    signed = call.signature
    if call.caller.scopes is not None:
        return  # a token signs nothing, so there is nothing to use again
    if signed is not None:
        query = tuple(sorted(target.query.items())) if target.raw_query_string else ()
        use = call.caller.key_id, signed.signature, target.path, query
        if call.services.read_replays.first_use(signed.signed_at, use, call.received_at // 1000):
            return
    raise refused_replay(call)


def refused_replay(call: Call) -> ApiError:
    """Return the 401 of a signature that was used before, with the second in which it was made for the log."""
    signed = call.signature
    return unauthorized("signature_replayed", None if signed is None else {"signedAt": signed.signed_at})


def _set_caller(call: Call, key: Key | None, stated: Credentials, *, genuine: bool) -> None:
    if key is None:
        key_id = {"keyId": stated.key_id} if KEY_ID.fullmatch(stated.key_id) else {}
        raise unauthorized("unknown_key", {**_evidence(call, stated), **key_id})
    call.caller = key.caller
    seconds = timestamp_seconds(stated.timestamp)
    code = _fault(key, call, stated, seconds, genuine=genuine)
    if code is not None or seconds is None:
        raise unauthorized(code or "bad_timestamp", _evidence(call, stated))
    call.signature = SignatureUse(key.caller.account_id, seconds, stated.signature)
    call.services.keys.note_proof(call.caller.key_id, call.client, call.received_at)


def _fault(key: Key, call: Call, stated: Credentials, seconds: int | None, *, genuine: bool) -> str | None:
    """Return the errorCode of the first check that fails; `seconds` is the stated timestamp, None if malformed."""
    fault = key.fault(call.received_at)
    if stated.token is not None:
        if not genuine:
            return "bad_token"
        return fault or ("ip_not_allowed" if key.networks and not within(call.client, key.networks) else None)
    if fault is not None:
        return fault
    if seconds is None:
        return "bad_timestamp"
    if abs(call.received_at // 1000 - seconds) > TOLERANCE_SECONDS:
        return "timestamp_out_of_range"
    if not genuine:
        return "bad_signature"
    if stated.version < key.signature_version:
        return "signature_version_required"
    if key.networks and not within(call.client, key.networks):
        return "ip_not_allowed"
    return None


def _evidence(call: Call, stated: Credentials) -> ErrorDetail:
    """Return what a merchant needs to find the fault: the first signed bytes, and how far the clocks differ."""
    timestamp, seconds = stated.timestamp, timestamp_seconds(stated.timestamp)
    # A malformed timestamp may be a signature or a secret in the wrong header, and those are never logged in full.
    shown = timestamp if seconds is not None else timestamp[:20]
    if stated.version == 1:
        signed = string_to_sign(shown, call.raw[:SHOWN_BYTES], stated.nonce)[:SHOWN_BYTES]
    else:
        signed = f"v2.{shown}.{stated.nonce or ''}.".encode("utf-8", "surrogateescape")
    return {
        "signedString": redact(signed.decode("utf-8", "backslashreplace")),
        "clockSkewSeconds": None if seconds is None else seconds - call.received_at // 1000,
    }
