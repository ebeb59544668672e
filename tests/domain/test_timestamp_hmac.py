"""Signatures over a timestamp and the body: published vectors, and everything that must not hold."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

import pytest
from attrs import evolve

from hub.domain.challenges import challenge_answer
from hub.domain.connector import Challenge, TimestampHmac
from hub.domain.deliveries import genuine, secret_fault
from hub.domain.scenes import signed_headers

STANDARD = TimestampHmac(
    "webhook-signature", "{id}.{timestamp}.{body}", "list", "v1", "webhook-timestamp", "webhook-id",
    encoding="base64", secret_encoding="base64", secret_prefix="whsec_",
)  # fmt: skip
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HEADERS = {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330"}
RAW = b'{"test": 2432232314}'
GIVEN = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
NOW = 1_614_265_330_000
STRIPE = TimestampHmac("Stripe-Signature")


def holds(given: str = GIVEN, raw: bytes = RAW, now: int = NOW, changes: Mapping[str, str] = HEADERS) -> bool:
    return genuine(STANDARD, [SECRET.encode()], given, raw, {**HEADERS, **changes}, now)


class TestStandardWebhooks:
    """The example of the libraries of standardwebhooks.com."""

    def test_the_published_vector(self) -> None:
        assert holds()
        assert holds(f"v1,AAAA v1a,xx {GIVEN}"), "one of several is enough, while a secret is changed"

    @pytest.mark.parametrize("given", ["", "v1,", "v2" + GIVEN[2:], GIVEN[3:], "v1," + GIVEN[3:].lower(), "v1,é"])
    def test_a_wrong_signature(self, given: str) -> None:
        assert not holds(given)

    def test_what_is_signed_beside_the_body(self) -> None:
        assert not holds(raw=RAW + b" ")
        assert not holds(changes={"webhook-id": "msg_other"})
        assert not holds(changes={"webhook-timestamp": "1614265331"})

    @pytest.mark.parametrize(("seconds", "fresh"), [(300, True), (-300, True), (301, False), (-301, False)])
    def test_it_may_be_five_minutes_old(self, seconds: int, *, fresh: bool) -> None:
        assert holds(now=NOW + seconds * 1000) is fresh

    @pytest.mark.parametrize("stamp", ["", "x", "-1", "٣", "1" * 13])
    def test_what_is_no_timestamp(self, stamp: str) -> None:
        """Even if it is signed."""
        headers = {**HEADERS, "webhook-timestamp": stamp}
        endless = evolve(STANDARD, tolerance_seconds=10**15)
        sent = signed_headers(endless, SECRET, RAW, NOW, "m")
        assert not genuine(endless, [SECRET.encode()], sent["webhook-signature"], RAW, headers, NOW)

    def test_its_secret(self) -> None:
        assert secret_fault(STANDARD, SECRET) is None
        assert secret_fault(STANDARD, "whsec_***") == "must be base64 text after 'whsec_'"


class TestStripe:
    def test_the_scheme(self) -> None:
        digest = hmac.new(b"whsec_test", b"1614265330." + RAW, hashlib.sha256).hexdigest()
        given = f"t=1614265330,v1={digest},v0=00"
        assert genuine(STRIPE, [b"other", b"whsec_test"], given, RAW, {}, NOW)
        assert not genuine(STRIPE, [b"other"], given, RAW, {}, NOW)
        assert not genuine(STRIPE, [b"whsec_test"], f"t=1614265330,{given}", RAW, {}, NOW), "two timestamps are none"

    @pytest.mark.parametrize("auth", [STRIPE, STANDARD])
    def test_what_is_signed_here_holds_here(self, auth: TimestampHmac) -> None:
        sent = signed_headers(auth, SECRET, RAW, NOW, "m-1")
        headers = {name.lower(): value for name, value in sent.items()}
        assert genuine(auth, [SECRET.encode()], sent[auth.header], RAW, headers, NOW)


class TestChallenge:
    CHALLENGE = Challenge(
        asks=("shop-id", "shop-url"), header="shopware-app-signature", signed="{shop-id}{shop-url}App",
        answer=(("proof", "{digest}"), ("secret", "{secret}"), ("confirmation_url", "{url}")),
    )  # fmt: skip
    QUERY = "shop-id=S1&shop-url=https%3A%2F%2Fshop.example"

    def test_a_signed_question_is_answered(self) -> None:
        given = hmac.new(b"s", self.QUERY.encode(), hashlib.sha256).hexdigest()
        proof = hmac.new(b"s", b"S1https://shop.exampleApp", hashlib.sha256).hexdigest()
        found = challenge_answer(self.CHALLENGE, [b"old", b"s"], given, self.QUERY, "https://hub.example/connect/c")
        assert found == {"proof": proof, "secret": "s", "confirmation_url": "https://hub.example/connect/c"}

    @pytest.mark.parametrize("given", ["", "00", "é", "x" * 64])
    def test_any_other_is_not(self, given: str) -> None:
        """The secret is in the answer, so it goes to those only who know it."""
        assert challenge_answer(self.CHALLENGE, [b"s"], given, self.QUERY, "") is None

    def test_one_that_lacks_a_parameter_is_not(self) -> None:
        given = hmac.new(b"s", b"shop-id=S1", hashlib.sha256).hexdigest()
        assert challenge_answer(self.CHALLENGE, [b"s"], given, "shop-id=S1", "") is None
