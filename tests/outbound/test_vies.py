"""VIES is asked by its declared request, and whatever it answers, or does not, has one of three outcomes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Final

import pytest
from attrs import evolve

from hub.domain.books.vies import is_asked_of
from hub.domain.words import VatOutcome
from hub.outbound.platform_session import Budget
from hub.outbound.vies import BUDGET, Vies
from tests.standins.vies import CONSULTATION, VALID, StandInVies, refused

LOOPBACK: Final = (ip_network("127.0.0.0/8"),)
OWN: Final = "DE136695976"
LATER: Final = (
    "SERVICE_UNAVAILABLE", "MS_UNAVAILABLE", "TIMEOUT", "GLOBAL_MAX_CONCURRENT_REQ", "GLOBAL_MAX_CONCURRENT_REQ_TIME",
    "MS_MAX_CONCURRENT_REQ", "MS_MAX_CONCURRENT_REQ_TIME",
)  # fmt: skip
"""Errors of the register of what may go better later."""
OURS: Final = ("INVALID_REQUESTER_INFO", "VAT_BLOCKED", "IP_BLOCKED", "AN_ERROR_THAT_IS_NEW")
"""Errors that say nothing of the number."""


async def at_once(_seconds: float) -> None:
    """Wait for nothing."""


@pytest.fixture
async def register() -> AsyncIterator[StandInVies]:
    vies = StandInVies()
    server = await vies.start()
    yield vies
    await server.close()


def asking(register: StandInVies, budget: Budget = BUDGET) -> Vies:
    return Vies(register.root, LOOPBACK, budget, at_once)


async def test_a_number_is_asked_about_with_that_of_who_asks(register: StandInVies) -> None:
    """Only then the answer has a consultation number."""
    assert await asking(register).check("ATU12345675", OWN) == ("valid", CONSULTATION, "")
    assert await asking(register).check("EL094259216") == ("valid", "", "")
    assert register.asked == [
        {"countryCode": "AT", "vatNumber": "U12345675", "requesterMemberStateCode": "DE",
         "requesterNumber": "136695976"},
        {"countryCode": "EL", "vatNumber": "094259216"},
    ]  # fmt: skip


@pytest.mark.parametrize(("body", "outcome"), [({**VALID, "valid": False}, "invalid"),
                                              (refused("INVALID_INPUT"), "invalid")])  # fmt: skip
async def test_a_number_that_is_not_valid(register: StandInVies, body: object, outcome: VatOutcome) -> None:
    register.answers(200, body)
    assert (await asking(register).check("ATU12345675")).outcome == outcome


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("error", [*LATER, *OURS])
async def test_an_error_says_nothing_of_the_number(register: StandInVies, error: str, status: int) -> None:
    register.answers(status, refused(error))
    assert await asking(register).check("ATU12345675", OWN) == ("unreached", "", error)


@pytest.mark.parametrize("body", [b"", b"<html>Maintenance</html>", b"[]", b"{}", b"null", b'{"valid": "yes"}',
                                  b'{"valid": 1}', b'{"errorWrappers": [], "actionSucceed": false}'])  # fmt: skip
async def test_what_is_no_answer_is_none(register: StandInVies, body: bytes) -> None:
    register.answers(200, body)
    answer = await asking(register).check("ATU12345675")
    assert (answer.outcome, answer.consultation) == ("unreached", "")
    assert answer.fault.startswith("VIES")


@pytest.mark.parametrize("status", [301, 403, 404, 429, 500, 503])
async def test_another_status_is_no_answer_even_with_the_body_of_one(register: StandInVies, status: int) -> None:
    register.answers(status, VALID)
    assert (await asking(register).check("ATU12345675")).outcome == "unreached"
    assert len(register.asked) == (BUDGET.requests if status in (429, 500, 503) else 1)


async def test_a_register_that_hangs_or_is_not_there_is_not_waited_for(register: StandInVies) -> None:
    register.hangs = True
    answer = await asking(register, evolve(BUDGET, seconds=0.2)).check("ATU12345675")
    assert answer.outcome == "unreached"
    register.root = "http://127.0.0.1:1/rest-api"
    answer = await asking(register).check("ATU12345675")
    assert answer == ("unreached", "", answer.fault)
    assert "cannot be reached" in answer.fault


async def test_no_address_inside_is_asked(register: StandInVies) -> None:
    """The control: without the network that tests allow, the stand-in hears nothing."""
    answer = await Vies(register.root, rest=at_once).check("ATU12345675")
    assert answer.outcome == "unreached"
    assert "not a public address" in answer.fault
    assert register.asked == []


@pytest.mark.parametrize(("number", "asked"), [("ATU12345675", True), ("EL094259216", True), ("XI123456789", True),
                                              ("GB123456789", False), ("CHE123456788", False), ("DE", False),
                                              ("", False), ("123456789", False)])  # fmt: skip
def test_only_numbers_of_the_union_are_looked_up(number: str, asked: bool) -> None:
    assert is_asked_of(number) is asked
