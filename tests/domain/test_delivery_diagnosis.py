"""The signature doctor's rules for platforms' deliveries: each usual mistake is made, and what is to blame is named."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from hub.domain.connectors.connector import HmacHeader, SecretHeader, TimestampHmac
from hub.domain.connectors.delivery_diagnosis import (
    DeliveryDiagnosis,
    KnownSecrets,
    SentDelivery,
    diagnose_delivery,
    proof_words,
)
from hub.domain.connectors.timestamp_hmac import stamped_headers

NOW = 1_795_176_000_000
SECRET, OLD, OTHER = b"whsec_c2VjcmV0IG9mIHRoZSBzaG9w", b"the old secret", b"the other shop's"
SECRETS = KnownSecrets([SECRET], [OLD], {"Harbour shop": [OTHER]})
BODY = b'{"id": 4711, "total": "49.90", "note": "caf\xc3\xa9"}'
WOO = HmacHeader("X-WC-Webhook-Signature")
PRESTA = HmacHeader("X-Affiliate-Hub-Signature", encoding="hex", prefix="sha256=")
STRIPE = TimestampHmac("Stripe-Signature")
SHARED = SecretHeader("X-Auth-Client")


def digest(body: bytes = BODY, secret: bytes = SECRET, algorithm: str = "sha256") -> bytes:
    return hmac.new(secret, body, algorithm).digest()


def text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def asked(auth: HmacHeader | SecretHeader | TimestampHmac, proof: str, body: bytes = BODY) -> DeliveryDiagnosis:
    return diagnose_delivery(auth, SECRETS, SentDelivery(proof, body, {}), NOW)


COMPACT = json.dumps(json.loads(BODY), separators=(",", ":")).encode()
WRONG = [
    ("", "header", "X-WC-Webhook-Signature is missing"),
    (digest().hex(), "encoding", "has to hold HMAC-SHA256, in base64, of the body"),
    (text(digest().hex().encode()), "encoding", "written in another way"),
    (f"sha256={text(digest())}", "encoding", "written in another way"),
    (f'"{text(digest())}"', "encoding", "written in another way"),
    (text(digest()).rstrip("="), "encoding", "written in another way"),
    (text(digest(algorithm="sha1")), "encoding", "made with SHA1"),
    (text(digest(algorithm="sha512")), "encoding", "made with SHA512"),
    (text(digest(secret=OLD)), "secret", "that has ended"),
    (text(digest(secret=OTHER)), "secret", "another connection, Harbour shop"),
    (text(digest(secret=SECRET + b"\n")), "secret", "a line's end or a space"),
    (text(digest(secret=base64.b64decode(SECRET[6:]))), "secret", "decoded from base64"),
    (text(digest(COMPACT)), "body", "written anew"),
    (text(digest(BODY + b"\n")), "body", "a line's end that was not sent"),
    (text(digest(b"")), "body", "Nothing was signed"),
    (text(digest(secret=b"a stranger's")), None, ""),
]


@pytest.mark.parametrize(("proof", "blame", "words"), WRONG)
def test_what_is_to_blame_is_named(proof: str, blame: str | None, words: str) -> None:
    """The last one is the control: a secret that the hub does not know is no mistake that it can name."""
    found = asked(WOO, proof)
    assert (found.genuine, found.blame) == (False, blame)
    assert words in (found.mistake or "")


@pytest.mark.parametrize(
    ("auth", "proof"),
    [
        (WOO, text(digest())),
        (PRESTA, f"sha256={digest().hex()}"),
        (SHARED, SECRET.decode()),
        (STRIPE, stamped_headers(STRIPE, SECRET.decode(), BODY, NOW, "")["Stripe-Signature"]),
    ],
)
def test_what_the_platform_sends_is_genuine(auth: HmacHeader | SecretHeader | TimestampHmac, proof: str) -> None:
    found = asked(auth, proof)
    assert (found.genuine, found.blame, found.mistake) == (True, None, None)
    assert found.computed == found.given


def test_a_missing_prefix_and_the_other_encoding_are_the_writings_fault() -> None:
    for proof in (digest().hex(), text(digest()), f"sha256={text(digest())}"):
        found = asked(PRESTA, proof)
        assert (found.blame, proof_words(PRESTA) in (found.mistake or "")) == ("encoding", True)


def test_a_stamped_signature_may_be_late_or_of_another_secret() -> None:
    late = stamped_headers(STRIPE, SECRET.decode(), BODY, NOW - 3_600_000, "")["Stripe-Signature"]
    assert asked(STRIPE, late).blame == "time"
    ended = stamped_headers(STRIPE, OLD.decode(), BODY, NOW, "")["Stripe-Signature"]
    assert asked(STRIPE, ended).blame == "secret"
    changed = stamped_headers(STRIPE, SECRET.decode(), COMPACT, NOW, "")["Stripe-Signature"]
    assert asked(STRIPE, changed).blame == "body"
    stamp, _, right = stamped_headers(STRIPE, SECRET.decode(), BODY, NOW, "")["Stripe-Signature"].partition(",v1=")
    assert asked(STRIPE, f"{stamp},v1={text(bytes.fromhex(right))}").blame == "encoding"


def test_a_secret_that_is_sent_itself_may_be_another_stores() -> None:
    assert asked(SHARED, f"Bearer {SECRET.decode()}").blame == "encoding"
    assert asked(SHARED, OTHER.decode()).blame == "secret"
    assert asked(SHARED, "guess").blame is None


def test_no_more_than_the_beginning_of_a_proof_is_shown() -> None:
    """Neither the secret that is sent itself nor a whole digest; the newest live secret counts."""
    found = diagnose_delivery(WOO, KnownSecrets([OLD, SECRET], [], {}), SentDelivery("AAAABBBBCCCC", BODY, {}), NOW)
    assert (found.computed, found.given) == (text(digest())[:8], "AAAABBBB")
    hidden = asked(SHARED, "guess")
    assert (hidden.computed, hidden.given) == (None, None)
    without = diagnose_delivery(WOO, KnownSecrets([], [], {}), SentDelivery("AAAA", BODY, {}), NOW)
    assert (without.genuine, without.computed) == (False, None)


def test_hostile_proofs_explain_nothing_and_break_nothing() -> None:
    plain = hashlib.sha256(BODY).hexdigest()
    for proof in (plain, "=", "sha256=", "\udcff", "é" * 40, "t=,v1=", "v1," * 99):
        for auth in (WOO, PRESTA, STRIPE, SHARED):
            found = asked(auth, proof)
            assert (found.genuine, found.blame) == (False, None), (auth, proof)
