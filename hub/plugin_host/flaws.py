"""What is wrong with a connector's record: everything that can be seen without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from hub.domain.connectors.connector import (
    Challenge,
    Connector,
    FieldPlace,
    FixedPlace,
    HeaderPlace,
    HmacHeader,
    SecretHeader,
    TimestampHmac,
    Topic,
    api_fault,
)
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.options import options_flaws
from hub.plugin_host.catalog import Declaration
from hub.plugin_host.places import said
from hub.plugin_host.request_flaws import request_flaws

MOST_DECLARED = 256 * 1024
"""A connector's record, as data, has at most this many bytes."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
SECRET_LENGTHS = range(16, 129)
LINK_PLACES = frozenset({"click", "affiliate"})
STEP_PLACES = ("url", "id", "secret")
"""What is filled in in a connector's steps."""


def connector_flaws(connector: Connector) -> Iterator[str]:
    """Yield what keeps a connector from being loaded, each to complete "hub-acme 1.0 ..."."""
    # A plugin need not be type-checked, so its record may hold anything.
    name: object = connector.name
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        yield (
            f"names a connector {name!r}: a name is up to 40 lower-case letters, digits, underscores and dashes, "
            "and begins with a letter"
        )
    if not isinstance(_untyped(connector, "title")[0], str):
        yield f"gives its connector {name!r} a title that is not a text"
    if (fault := api_fault(connector.api)) is not None:
        yield f"gives a connector {name!r} that {fault}"
        return
    if type(connector.rank) is not int:
        yield f"gives its connector {name!r} a rank that is no whole number"
    for part in ("recognises", "translate_webhook", "handshake", "is_test", "erasure"):
        if not callable(getattr(connector, part)):
            yield f"gives its connector {name!r} a {part} that is no function"
    for flaw in _door_flaws(connector):
        yield f"gives its connector {name!r} {flaw}"


def _door_flaws(connector: Connector) -> Iterator[str]:
    """Return what is wrong with the parts that serve the platform's own deliveries."""
    places = (HeaderPlace, FieldPlace, FixedPlace)
    auth, package, issues, options = _untyped(connector, "auth", "package", "issues_secret", "options")
    if auth is not None and not isinstance(auth, HmacHeader | SecretHeader | TimestampHmac | JwtBody):
        yield "an auth that is neither HmacHeader, SecretHeader, TimestampHmac nor JwtBody"
    yield from _auth_flaws(auth)
    for part in ("topic", "delivery_id"):
        if getattr(connector, part) is not None and not isinstance(getattr(connector, part), places):
            yield f"a {part} that is neither HeaderPlace, FieldPlace nor FixedPlace"
    if auth is not None and (connector.topic is None or not connector.topics):
        yield "an auth but no topic or no topics: its deliveries could not be told apart"
    if package is not None and not callable(package):
        yield "a package that is no function"
    if not isinstance(issues, bool):
        yield "an issues_secret that is neither True nor False"
    yield from _length_flaws(connector.secret_length)
    yield from _link_flaws(_untyped(connector, "link_parameters")[0])
    if not _is_tuple_of(connector.steps, str):
        yield "steps that are no tuple of texts"
    else:
        yield from _step_flaws(connector.steps)
    if not _is_tuple_of(connector.ports, int):
        yield "ports that are no tuple of whole numbers"
    if not isinstance(_untyped(connector, "needs_https")[0], bool):
        yield "a needs_https that is neither True nor False"
    yield from options_flaws(options)
    yield from _challenge_flaws(_untyped(connector, "challenge")[0])
    yield from _topic_flaws(connector)
    yield from request_flaws(_untyped(connector, "requests")[0], _topic_names(connector))


def _length_flaws(length: object) -> Iterator[str]:
    if type(length) is not int or length not in SECRET_LENGTHS:
        yield f"a secret_length that is not one of {SECRET_LENGTHS.start} to {SECRET_LENGTHS.stop - 1}"


def _link_flaws(parameters: object) -> Iterator[str]:
    if not isinstance(parameters, tuple) or not all(_is_tuple_of(each, str) and len(each) == 2 for each in parameters):
        yield "link_parameters that are no tuple of pairs of texts"
        return
    for name, value in parameters:
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name) is None:
            yield f"a link parameter {name!r}, which is no word of letters and digits"
        for place in set(re.findall(r"\{([^{}]*)\}", value)) - LINK_PLACES:
            yield f"a link parameter with {{{place}}}; there are {{click}} and {{affiliate}}"


def _step_flaws(steps: tuple[str, ...]) -> Iterator[str]:
    for step in steps:
        for place in re.findall(r"\{([^{}]*)\}", step):
            if place not in STEP_PLACES:
                yield f"a step with {{{place}}}; there are {', '.join(f'{{{each}}}' for each in STEP_PLACES)}"


def _auth_flaws(auth: object) -> Iterator[str]:
    allowed: dict[str, tuple[str, ...]] = {}
    if isinstance(auth, HmacHeader):
        allowed = {"algorithm": ("sha1", "sha256", "sha512"), "encoding": ("base64", "hex"),
                   "secret_encoding": ("utf-8", "hex")}  # fmt: skip
        if not isinstance(_untyped(auth, "prefix")[0], str):
            yield "an auth whose prefix is not a text"
    if isinstance(auth, TimestampHmac):
        allowed = {"algorithm": ("sha1", "sha256", "sha512"), "encoding": ("base64", "hex"), "form": ("pairs", "list"),
                   "secret_encoding": ("utf-8", "hex", "base64")}  # fmt: skip
        yield from _stamp_flaws(auth)
    if isinstance(auth, JwtBody) and type(auth.tolerance_seconds) is not int:
        yield "an auth whose tolerance is no whole number"
    header = getattr(auth, "header", "")
    if auth is not None and not (isinstance(header, str) and header.isascii()):
        yield "an auth whose header is not an ASCII text"
    for part, words in allowed.items():
        if getattr(auth, part) not in words:
            yield f"an auth whose {part} is not one of {', '.join(words)}"


def _stamp_flaws(auth: TimestampHmac) -> Iterator[str]:
    texts = _untyped(auth, "signed", "version", "timestamp_header", "id_header", "secret_prefix")
    if not all(isinstance(text, str) for text in texts) or type(auth.tolerance_seconds) is not int:
        yield "an auth whose parts are not texts, or whose tolerance is no whole number"
        return
    places = re.findall(r"\{([^{}]*)\}", auth.signed)
    if {"timestamp", "body"} - set(places) or set(places) - {"timestamp", "body", "id"}:
        yield f"an auth that signs {auth.signed!r}; it must have {{timestamp}} and {{body}}, and may have {{id}}"
    if auth.form == "list" and not auth.timestamp_header:
        yield "an auth of the form list without a timestamp_header"
    if ("id" in places) != bool(auth.id_header):
        yield "an auth with {id} but no id_header, or the other way round"


def _challenge_flaws(challenge: object) -> Iterator[str]:
    if challenge is None:
        return
    if not isinstance(challenge, Challenge) or not _is_tuple_of(challenge.asks, str) or not challenge.asks:
        yield "a challenge that is no Challenge with the parameters that it asks"
        return
    places = set(re.findall(r"\{([^{}]*)\}", challenge.signed)) - set(challenge.asks)
    if places:
        yield f"a challenge that signs {{{min(places)}}}, which it does not ask"
    if not isinstance(challenge.keys, tuple) or not all(_is_tuple_of(each, str) for each in challenge.keys):
        yield "a challenge whose keys are no tuple of pairs of texts"
    for _, text in challenge.answer:
        for place in set(re.findall(r"\{([^{}]*)\}", text)) - {"digest", "secret", "url"}:
            yield f"a challenge that answers with {{{place}}}; there are {{digest}}, {{secret}}, {{url}}"


def _topic_flaws(connector: Connector) -> Iterator[str]:
    if not _is_tuple_of(connector.topics, Topic):
        yield "topics that are no tuple of Topic"
        return
    names = [topic.name for topic in connector.topics]
    for topic in connector.topics:
        translate, payload = _untyped(topic, "translate", "payload")
        if not callable(translate) or not isinstance(payload, type):
            yield f"a topic {topic.name!r} without a payload class or a translate function"
        required, allowed, family = _untyped(topic, "required", "allowed", "family")
        if not _is_tuple_of(required, str) or not (allowed is None or _is_tuple_of(allowed, str)):
            yield f"a topic {topic.name!r} whose required or allowed fields are no tuple of texts"
        if not (family is None or (isinstance(family, str) and family)):
            yield f"a topic {topic.name!r} whose family is no text"
        if topic.is_thin and topic.family is not None:
            yield f"a thin topic {topic.name!r} in a family, in which the same bytes count once"
        if names.count(topic.name) > 1:
            yield f"the topic {topic.name!r} twice"
            return


def _topic_names(connector: Connector) -> frozenset[str] | None:
    known = connector.topics
    return frozenset(topic.name for topic in known) if _is_tuple_of(known, Topic) and known else None


def _untyped(record: object, *parts: str) -> list[object]:
    return [getattr(record, part) for part in parts]


def _is_tuple_of(value: object, kind: type) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


def undeclarable(connector: Connector) -> Iterator[str]:
    """Yield what keeps a connector's record from being described as data, or makes it too long for that."""
    try:
        length = len(orjson.dumps(Declaration.of(connector, "").to_json()))
    except Exception as error:  # noqa: BLE001 - a record may hold anything, and anything may happen
        yield f"gives its connector {connector.name!r} a value that cannot be described: {said(error)}"
        return
    if length > MOST_DECLARED:
        yield f"gives its connector {connector.name!r} a record of more than {MOST_DECLARED:,} bytes"
