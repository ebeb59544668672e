"""Signatures over a timestamp and the body: published vectors, and everything that must not hold."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from hub.domain.connectors.challenges import challenge_answer
from hub.domain.connectors.connector import Challenge, TimestampHmac
from hub.domain.connectors.deliveries import genuine, secret_fault
from hub.domain.connectors.scenes import signed_headers
from hub.domain.connectors.timestamp_hmac import MOST_SIGNATURES, secret_key, stamped_digests, stamped_headers

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


def by_hand(stamp: str, key: bytes = base64.b64decode(SECRET[6:])) -> tuple[str, bytes, Mapping[str, str]]:
    """What is given, the body, and the headers of a message that is signed with any timestamp and any key."""
    text = b"%s.%s.%s" % (HEADERS["webhook-id"].encode(), stamp.encode(), RAW)
    given = "v1," + base64.b64encode(hmac.digest(key, text, "sha256")).decode()
    return given, RAW, {**HEADERS, "webhook-timestamp": stamp}


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

    def test_nor_a_millisecond_older(self) -> None:
        assert not holds(now=NOW + 300_001)
        assert not holds(now=NOW - 300_001)

    @pytest.mark.parametrize(
        ("stamp", "holds"),
        [("", False), ("x", False), ("-1", False), ("٣", False), ("1" * 13, False), ("001614265330", True)],
    )
    def test_what_is_no_timestamp(self, stamp: str, *, holds: bool) -> None:
        """Even if it is signed."""
        endless = evolve(STANDARD, tolerance_seconds=10**15)
        assert genuine(endless, [SECRET.encode()], *by_hand(stamp), NOW) is holds

    def test_so_many_signatures_are_looked_at(self) -> None:
        assert holds("v1,AAAA " * 7 + GIVEN)
        assert not holds("v1,AAAA " * 8 + GIVEN)
        assert holds("v2,AAAA " * 15 + GIVEN), "those of other versions are passed over, up to as many again"
        assert not holds("v2,AAAA " * 16 + GIVEN)

    def test_a_signature_with_other_characters_between(self) -> None:
        assert not holds(GIVEN[:9] + "!" + GIVEN[9:])

    @pytest.mark.parametrize("secret", ["whsec_", "whsec_!", "whsec_MfKQ!9r8G"])
    def test_a_secret_that_is_no_key_proves_nothing(self, secret: str) -> None:
        """Not even what is signed with an empty key, or with what is left of the text."""
        for key in (b"", base64.b64decode(secret.removeprefix("whsec_") + "==")):
            assert not genuine(STANDARD, [secret.encode()], *by_hand("1614265330", key), NOW)

    def test_odd_bytes_are_a_wrong_signature(self) -> None:
        assert not holds(changes={"webhook-id": "\udcff"})
        assert not holds(changes={"webhook-timestamp": "\udcff"})

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


class TestForms:
    """What the other forms of signing have and have not."""

    def test_headers_that_a_platform_does_not_name_are_not_sent(self) -> None:
        assert set(stamped_headers(STRIPE, "s", RAW, NOW, "m")) == {"Stripe-Signature"}
        assert set(stamped_headers(STANDARD, SECRET, RAW, NOW, "m")) == {
            "webhook-signature", "webhook-timestamp", "webhook-id"
        }  # fmt: skip

    def test_a_list_has_no_timestamp_of_its_own(self) -> None:
        """A `t` among its signatures is no pair."""
        auth = TimestampHmac("x-signature", form="list")
        digest = hmac.new(b"s", b"1614265330." + RAW, "sha256").hexdigest()
        assert not genuine(auth, [b"s"], f"t,1614265330 v1,{digest}", RAW, {}, NOW)

    def test_without_a_header_for_the_id_it_is_empty(self) -> None:
        auth = TimestampHmac("x-signature", "{id}.{timestamp}.{body}")
        digest = hmac.new(b"s", b".1614265330." + RAW, "sha256").hexdigest()
        assert genuine(auth, [b"s"], f"t=1614265330,v1={digest}", RAW, {"": "msg_1"}, NOW)

    def test_an_id_or_a_timestamp_that_is_missing_is_empty(self) -> None:
        """Its digest shows it: the doctor of deliveries compares it with what was sent."""
        made, _ = stamped_digests(STANDARD, [SECRET.encode()], GIVEN, RAW, {})
        text = hmac.digest(base64.b64decode(SECRET[6:]), b".." + RAW, "sha256")
        assert made == base64.b64encode(text).decode()

    def test_two_timestamps_are_none(self) -> None:
        made, given = stamped_digests(STRIPE, [b"s"], "t=1,t=2,v1=00", RAW, {})
        assert (made, given) == (hmac.new(b"s", b"." + RAW, "sha256").hexdigest(), "00")

    def test_without_secrets_or_signatures_there_is_no_digest(self) -> None:
        assert stamped_digests(STRIPE, [], "t=1", RAW, {}) == ("", "")

    @pytest.mark.parametrize(
        ("encoding", "text", "key"),
        [("hex", b"00ff", b"\x00\xff"), ("hex", b"0g", None), ("base64", b"AP8=", b"\x00\xff"),
         ("base64", b"AP8=!", None), ("utf-8", b"s", b"s"), ("utf-8", b"", None)],
    )  # fmt: skip
    def test_a_secret_is_read_in_its_encoding(self, encoding: Any, text: bytes, key: bytes | None) -> None:
        assert secret_key(TimestampHmac("x", secret_encoding=encoding), text) == key

    def test_a_platform_changes_one_secret_at_a_time(self) -> None:
        assert MOST_SIGNATURES == 8
