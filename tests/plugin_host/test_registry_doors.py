"""The parts of a connector that serve its platform's own deliveries are checked when the hub starts."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve, field, frozen

from hub.api import Challenge, Connector, HmacHeader, TimestampHmac, Topic
from hub.plugin_host.flaws import connector_flaws
from tests.acme import ACME, PLAIN


@frozen
class Needy:
    shop: str


@frozen
class Odd:
    shops: dict[str, str] = field(factory=dict)


def translate(*_: Any) -> tuple[()]:
    return ()


TOPIC = Topic("a", dict, translate)
NOTHING: Any = None
TEXT: Any = "dict"
MD5: Any = "md5"


def test_good_connectors_have_no_flaws() -> None:
    """The control."""
    assert [*connector_flaws(ACME), *connector_flaws(PLAIN)] == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"auth": "hmac"}, "an auth that is neither HmacHeader, SecretHeader, TimestampHmac nor JwtBody"),
        ({"topic": "X-Topic"}, "a topic that is neither HeaderPlace, FieldPlace nor FixedPlace"),
        ({"delivery_id": 1}, "a delivery_id that is neither HeaderPlace, FieldPlace nor FixedPlace"),
        ({"topic": None}, "an auth but no topic or no topics: its deliveries could not be told apart"),
        ({"topics": ()}, "an auth but no topic or no topics: its deliveries could not be told apart"),
        ({"topics": [TOPIC]}, "topics that are no tuple of Topic"),
        ({"topics": (TOPIC, TOPIC)}, "the topic 'a' twice"),
        (
            {"topics": (evolve(TOPIC, translate=NOTHING),)},
            "a topic 'a' without a payload class or a translate function",
        ),
        ({"topics": (evolve(TOPIC, payload=TEXT),)}, "a topic 'a' without a payload class or a translate function"),
        ({"handshake": None}, "a handshake that is no function"),
        ({"is_test": True}, "a is_test that is no function"),
        ({"erasure": 1}, "a erasure that is no function"),
        ({"package": "zip"}, "a package that is no function"),
        ({"issues_secret": "yes"}, "an issues_secret that is neither True nor False"),
        ({"auth": HmacHeader("X-S", algorithm=MD5)}, "an auth whose algorithm is not one of sha1, sha256, sha512"),
        ({"topics": (evolve(TOPIC, required=TEXT),)}, "a topic 'a' whose required or allowed fields are no tuple"),
        ({"topics": (evolve(TOPIC, family=""),)}, "a topic 'a' whose family is no text"),
        ({"auth": TimestampHmac("X-S", "{body}")}, "an auth that signs '{body}'; it must have {timestamp} and {body}"),
        ({"auth": TimestampHmac("X-S", form="list")}, "an auth of the form list without a timestamp_header"),
        ({"auth": TimestampHmac("X-S", id_header="X-I")}, "an auth with {id} but no id_header"),
        ({"challenge": TEXT}, "a challenge that is no Challenge"),
        ({"challenge": Challenge(("a",), "X-S", "{b}", ())}, "a challenge that signs {b}, which it does not ask"),
        ({"challenge": Challenge(("a",), "X-S", "{a}", (("proof", "{c}"),))}, "a challenge that answers with {c}"),
        ({"steps": ("Hi {foo}",)}, "a step with {foo}; there are {url}, {id}, {secret}"),
        ({"api": "2.0"}, "was written for hub.api 2.0, and this hub has 1.1"),
        ({"steps": "Open the admin."}, "steps that are no tuple of texts"),
        ({"options": {}}, "options that are no attrs class"),
        ({"options": Needy}, "an option shop without a default"),
        ({"options": Odd}, "an option shops of a type that no text can be read as"),
    ],
)
def test_each_flaw_is_a_sentence(change: dict[str, Any], said: str) -> None:
    """The registry puts the distribution's name before it and stops the start."""
    flawed: Connector = evolve(ACME, **{"requests": None, **change})
    (sentence, *rest) = connector_flaws(flawed)
    assert sentence.startswith(("gives its connector 'acme' ", "gives a connector 'acme' that "))
    assert said in sentence
    assert rest == []
