"""How a write happens once: its idempotency key, its submission or transaction, and the refusals as API errors.

See the API specification, common rules 1 and 2.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from multidict import CIMultiDictProxy, istr

from hub.http.errors import ApiError, invalid
from hub.http.response import Reply
from hub.intake.idempotent_writes import WriteStep
from hub.intake.submission import (
    Accepted,
    Answer,
    IdempotencyUse,
    InFlight,
    Mismatch,
    Refusal,
    Replayed,
    SignatureReused,
    SignatureSpent,
    Submission,
)
from hub.merchant_api.authentication import refused_replay
from hub.merchant_api.endpoint import Call, HandlerResult

KEY_HEADERS: Final = (istr("X-Idempotency-Key"), istr("Idempotency-Key"))
VALID_KEY: Final = re.compile(r"[!-~]{1,255}")
QUOTED_KEY: Final = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"')
"""A string of RFC 8941, which the standard header has to be; most clients send the bare key."""


def idempotency_use(headers: CIMultiDictProxy[str], route: str, query: str, raw: bytes) -> IdempotencyUse | None:
    """Return the key that a request claims, None if it claims none; raise a 400 for a malformed or ambiguous one."""
    if KEY_HEADERS[0] not in headers and KEY_HEADERS[1] not in headers:
        return None
    values = [value.strip() for name in KEY_HEADERS for value in headers.getall(name, ())]
    keys = {_unquoted(value) for value in values}
    if len(keys) > 1:
        raise invalid(["`Idempotency-Key` and `X-Idempotency-Key` must not name different keys"])
    key = keys.pop()
    if not VALID_KEY.fullmatch(key):
        raise invalid(["`Idempotency-Key` must be 1 to 255 visible ASCII characters"])
    query_bytes = query.encode("utf-8", "surrogateescape")
    # The query's length comes first, so that no part of the query can pass for a part of the body.
    fingerprint = sha256(b"%d:%s%s" % (len(query_bytes), query_bytes, raw)).hexdigest()
    return IdempotencyUse(route, key, fingerprint)


def _unquoted(value: str) -> str:
    quoted = QUOTED_KEY.fullmatch(value)
    return value if quoted is None else re.sub(r"\\(.)", r"\1", quoted[1])


async def submit(call: Call, submission: Submission) -> HandlerResult:
    """Submit to intake, and return the answer once the submission is durable.

    Raises the `ApiError` of a refusal, and `StoreUnavailable`.
    """
    call.submitted = True
    result = await call.services.submissions.submit(submission)
    if not isinstance(result, Accepted):
        return _answer_or_refuse(call, result)
    call.event_id = result.event_id
    return Reply(202, result.body, detail={"duplicateOf": result.event_id} if result.duplicate else None)


async def write_once(call: Call, *steps: WriteStep) -> Answer | Replayed:
    """Run the steps, each in a transaction of its own, and return the answer of the last.

    An exception of a step is raised after its rollback. Raises the `ApiError` of a refusal, and `StoreUnavailable`.
    """
    call.submitted = True
    return _answer_or_refuse(call, await call.services.writes.run(call.guards, *steps))


async def spend_signature(call: Call) -> None:
    """Remember the signature of a refused write; raise the 401 of a signature that was used before."""
    _answer_or_refuse(call, await call.services.submissions.spend_signature(call.guards))


def _answer_or_refuse(call: Call, result: Answer | Replayed | SignatureSpent | Refusal) -> Answer | Replayed:
    match result:
        case Answer() | Replayed():
            return result
        case SignatureReused():
            raise refused_replay(call)
        case InFlight():
            message = "A request with this idempotency key is still being processed; repeat it in a moment."
            raise ApiError(409, message, "idempotency_in_flight", headers={"Retry-After": "1"})
        case Mismatch():
            message = "This idempotency key was used before with another body or query; nothing was done."
            raise ApiError(422, message, "idempotency_mismatch")
        case SignatureSpent():
            return Answer(400, b"")
