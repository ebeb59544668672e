"""What is wrong with the requests that a connector declares: everything that can be seen without asking anybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

from hub.domain.connectors.deliveries import MOST_SECRETS
from hub.domain.connectors.request_calls import Call
from hub.domain.connectors.request_logins import OAuthConsent
from hub.domain.connectors.request_pages import PLACE
from hub.domain.connectors.requests import RECORDS, Listing, Requests, Single
from hub.domain.words import FETCH_KINDS

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_SINCE_PLACES: Final = frozenset({"since", "since_z"})
_PAGE_PLACES: Final = frozenset({
    "since", "since_z", "now", "now_z", "page", "offset", "size", "cursor", "cursor_or_null",
})  # fmt: skip
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


def request_flaws(requests: object, topics: frozenset[str] | None) -> Iterator[str]:
    """Yield what is wrong with a connector's `requests`, to complete "gives its connector ... "; None has no flaws.

    `topics` are the connector's, None if they cannot be read.
    """
    if requests is None:
        return
    if not isinstance(requests, Requests):
        yield "requests that are no Requests"
        return
    wrong = next(_wrong_types(requests, "requests"), None)
    if wrong is not None:
        yield wrong
        return
    yield from _credential_flaws(requests)
    yield from _place_flaws(requests)
    yield from _listing_flaws(requests, topics)
    yield from _webhook_flaws(requests)
    if not 0 < requests.rate.per_second <= 1_000 or requests.rate.burst < 1:
        yield "a rate that is not above 0 with a burst of at least 1"
    if requests.reads_every < 0:
        yield "reads_every of less than 0 minutes"


def _credential_flaws(requests: Requests) -> Iterator[str]:
    for each in requests.credentials:
        if _NAME.fullmatch(each.name) is None:
            yield f"a credential {each.name!r}: a name is up to 40 lower-case letters, digits and underscores"
        try:
            re.compile(each.pattern)
        except re.error:
            yield f"a credential {each.name!r} whose pattern is no regular expression"
    if requests.signs_with and requests.signs_with not in {each.name for each in requests.credentials}:
        yield f"signs_with {requests.signs_with!r}, which is not one of its credentials"


def _webhook_flaws(requests: Requests) -> Iterator[str]:
    webhooks = requests.webhooks
    if webhooks is None:
        return
    if webhooks.secret and (requests.signs_with or "{webhook_secret}" in webhooks.create.body):
        yield "webhooks whose secret the platform makes, but that are signed with another one, too"
    if webhooks.secret and not webhooks.is_one and len(webhooks.topics) > MOST_SECRETS // 2:
        yield f"more than {MOST_SECRETS // 2} webhooks with a secret of their own, which a connection has no room for"
    if webhooks.is_of_consent and requests.consent is None:
        yield "webhooks that only a consent may make, but no consent"


def _place_flaws(requests: Requests) -> Iterator[str]:
    names = frozenset(each.name for each in requests.credentials)
    known = names | {"token", "refresh_token"} if requests.grant is not None else names
    yield from _unknown("root", requests.root, known)
    for place, call, more in _calls(requests):
        if call.method not in _METHODS:
            yield f"{place} with the method {call.method!r}"
        yield from _unknown(place, call.path, known | more)


def _listing_flaws(requests: Requests, topics: frozenset[str] | None) -> Iterator[str]:
    for place, topic in _stated_topics(requests):
        if topics is not None and topic not in topics:
            yield f"{place} whose topic {topic!r} it does not have"
    for name, single in (("orders", requests.order), ("products", requests.product)):
        listing: Listing | None = getattr(requests, name)
        if listing is not None and not listing.is_whole and single is None:
            yield f"{name} that are not whole, but no {name[:-1]} to ask for each"
    if requests.several is not None and (requests.order is None or not requests.several.is_whole):
        yield "several orders at once that are not whole, or no order to ask for those that are missing"


def _wrong_types(record: Any, place: str) -> Iterator[str]:
    """Yield what is neither a text, a number, True, False, None, a record of requests nor a tuple of these."""
    for each in attrs.fields(type(record)):
        yield from _wrong_value(getattr(record, each.name), f"{place}.{each.name}")


def _wrong_value(value: Any, place: str) -> Iterator[str]:
    if type(value) in RECORDS:
        yield from _wrong_types(value, place)
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _wrong_value(inner, f"{place}[{number}]")
    elif value is not None and not isinstance(value, str | int | float | bool):
        yield f"{place} as {type(value).__name__}"


def _calls(requests: Requests) -> Iterator[tuple[str, Call, frozenset[str]]]:
    yield "identity", requests.identity.call, frozenset()
    if requests.scopes is not None:
        yield "scopes", requests.scopes.call, frozenset()
    yield from _listing_calls(requests)
    if requests.several is not None:
        yield "several", requests.several.call, _PAGE_PLACES | {"ids"}
    for name in FETCH_KINDS:
        single: Single | None = getattr(requests, name)
        if single is not None:
            yield name, single.call, frozenset({"id"})
            for part in single.parts:
                yield f"{name}'s part {part.name!r}", part.call, _PAGE_PLACES | {"id"}
    if requests.webhooks is not None:
        yield "webhooks", requests.webhooks.listing.call, _PAGE_PLACES
        yield "webhooks.create", requests.webhooks.create, frozenset({"topic", "url", "webhook_secret"})
        yield "webhooks.delete", requests.webhooks.delete, frozenset({"webhook_id"})
        if requests.webhooks.revive is not None:
            places = frozenset({"webhook_id", "topic", "url", "webhook_secret"})
            yield "webhooks.revive", requests.webhooks.revive, places
    if isinstance(requests.consent, OAuthConsent):
        more = frozenset({"client_id", "client_secret", "code", "callback", "scopes", "code_verifier"})
        yield "consent.token", requests.consent.token, more


def _listing_calls(requests: Requests) -> Iterator[tuple[str, Call, frozenset[str]]]:
    for name in ("orders", "products"):
        listing: Listing | None = getattr(requests, name)
        if listing is not None:
            yield name, listing.call, _PAGE_PLACES
            if listing.following is not None:
                yield f"{name}.following", listing.following, _PAGE_PLACES
            if listing.bulk is not None:
                yield f"{name}.bulk.begin", listing.bulk.begin, _SINCE_PLACES
                yield f"{name}.bulk.look", listing.bulk.look, frozenset({"job"})


def _stated_topics(requests: Requests) -> Iterator[tuple[str, str]]:
    for name in ("orders", "products", "several"):
        listing: Listing | None = getattr(requests, name)
        if listing is not None and listing.is_whole:
            yield name, listing.topic
    for name in FETCH_KINDS:
        single: Single | None = getattr(requests, name)
        if single is not None:
            yield name, single.topic


def _unknown(place: str, text: str, known: frozenset[str]) -> Iterator[str]:
    for name in dict.fromkeys(PLACE.findall(text)):
        if name not in known:
            yield f"{place} with {{{name}}}, which is not known there"
