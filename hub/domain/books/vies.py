"""VIES, the register of VAT numbers of the European Union: how it is asked, and what its answers mean.

Its REST API is one request. With the number of who asks, the answer has a consultation number: what a tax office takes
as the proof that the number was looked up on that day. An answer of status 200 may be an error, too, and a number that
the register's form does not take is no valid one. What is not understood is no answer: never that a number is wrong.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from hub.domain.books.vat import UNION
from hub.domain.connectors.request_calls import Call
from hub.domain.connectors.request_logins import BasicLogin
from hub.domain.connectors.request_pages import text_in, value_in
from hub.domain.connectors.requests import Identity, Requests
from hub.domain.words import VatOutcome

ROOT: Final = "https://ec.europa.eu/taxation_customs/vies/rest-api"
CHECK: Final = Call(
    "/check-vat-number", "POST", '{"countryCode": "{country}", "vatNumber": "{number}"}'
)  # fmt: skip
CHECK_FOR: Final = Call(
    "/check-vat-number",
    "POST",
    '{"countryCode": "{country}", "vatNumber": "{number}", '
    '"requesterMemberStateCode": "{own_country}", "requesterNumber": "{own_number}"}',
)
"""The same with the number of who asks."""
STATES: Final = frozenset(UNION - {"GR"}) | {"EL", "XI"}
"""What numbers begin with: the member states, Greece as EL, and Northern Ireland."""
MOST_KEPT: Final = 100
"""How much of a consultation number or an error is kept."""
NOT_ITS_FORM: Final = "INVALID_INPUT"


def declared(root: str) -> Requests:
    """Return how VIES is asked at its root, `ROOT` but for tests; it knows no login."""
    return Requests(root=root, login=BasicLogin("", ""), credentials=(), identity=Identity(Call("/check-status")))


class VatAnswer(NamedTuple):
    """What VIES said of a number: `consultation` is empty unless it gave one, `fault` says why it is no answer."""

    outcome: VatOutcome
    consultation: str = ""
    fault: str = ""


def is_asked_of(number: str) -> bool:
    """Return whether a VAT number in its plain form is one that VIES knows, by the state that it begins with."""
    return number[:2] in STATES and len(number) > len("EL")


def places_of(number: str, own: str) -> dict[str, str]:
    """Return what the request says of a number and of that of who asks; without one, `CHECK` is sent."""
    return {"country": number[:2], "number": number[2:], "own_country": own[:2], "own_number": own[2:]}


def read_answer(status: int, body: Any) -> VatAnswer:
    """Return what an answer of VIES means; `body` is its JSON, None for what is none."""
    error = text_in(body, "errorWrappers.0.error")
    if error:
        outcome: VatOutcome = "invalid" if error == NOT_ITS_FORM else "unreached"
        return VatAnswer(outcome, fault=_shown(error))
    valid = value_in(body, "valid")
    if status != 200 or not isinstance(valid, bool):
        return VatAnswer("unreached", fault=f"VIES answered {status} with what is no answer.")
    return VatAnswer("valid" if valid else "invalid", _shown(text_in(body, "requestIdentifier")))


def _shown(text: str) -> str:
    return "".join(each for each in text if each.isprintable())[:MOST_KEPT]
