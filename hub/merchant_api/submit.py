"""How handlers change state: through the desk or a direct write, with the refusals of both as API errors."""

from __future__ import annotations

from hub.http.errors import ApiError, unauthorized
from hub.http.response import Reply
from hub.intake.idempotent_writes import WriteStep
from hub.intake.submission import (
    Accepted,
    Answer,
    InFlight,
    Mismatch,
    Refusal,
    Replayed,
    SignatureReused,
    SignatureSpent,
    Submission,
)
from hub.merchant_api.endpoint import Call

Filed = Reply | Answer | Replayed
"""What a submission comes to if it is not refused."""


async def submit(call: Call, submission: Submission) -> Filed:
    """Hands a submission to the desk and answers once it is durable."""
    call.submitted = True
    outcome = await call.services.submissions.submit(submission)
    return Reply(202, outcome.body) if isinstance(outcome, Accepted) else _settled(outcome)


async def write_once(call: Call, *effects: WriteStep) -> Answer | Replayed:
    """Runs the effects, each in a transaction; what an effect raises comes out after its rollback."""
    call.submitted = True
    return _settled(await call.services.writes.run(call.guards, *effects))


async def spend_signature(call: Call) -> None:
    """Remembers the signature of a refused write; one that was used before is refused as that, not as bad input."""
    _settled(await call.services.submissions.spend_signature(call.guards))


def _settled(outcome: Answer | Replayed | SignatureSpent | Refusal) -> Answer | Replayed:
    match outcome:
        case Answer() | Replayed():
            return outcome
        case SignatureReused():
            raise unauthorized("signature_replayed")
        case InFlight():
            message = "A request with this idempotency key is still being processed; repeat it in a moment."
            raise ApiError(409, message, "idempotency_in_flight", headers={"Retry-After": "1"})
        case Mismatch():
            message = "This idempotency key was used before with another body or query; nothing was done."
            raise ApiError(422, message, "idempotency_mismatch")
        case SignatureSpent():
            return Answer(400, b"")
