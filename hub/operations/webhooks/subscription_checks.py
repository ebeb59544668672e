"""What a subscription may name: an address that can be asked, and events that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from hub.domain.messages.notifications import PLACEHOLDER, PLACEHOLDERS, matching_types, unknown_placeholders
from hub.domain.messages.payload_versions import versions
from hub.operations.errors import OperatorFault
from hub.outbound.public_addresses import Network, may_be_asked

LONGEST_URL: Final = 2_048


def checked_kind(url: str, allowed: Sequence[Network]) -> str:
    """Return WEBHOOK or POSTBACK; raise `OperatorFault` for a URL that cannot be used."""
    kind = "POSTBACK" if PLACEHOLDER.search(url) else "WEBHOOK"
    try:
        parts = urlsplit(PLACEHOLDER.sub("x", url))
        named = parts.scheme in ("http", "https") and parts.hostname and parts.username is None and parts.port != 0
    except ValueError:
        named = False
    plain = url.isascii() and url.isprintable() and " " not in url
    if not named or not plain or len(url) > LONGEST_URL:
        raise OperatorFault(
            "The URL must be an http or https address without a user name, like https://shop.example/hook"
        )
    if PLACEHOLDER.search(urlsplit(url).netloc):
        raise OperatorFault("A placeholder may be in the path and the query only, not in the host.")
    strange = unknown_placeholders(url)
    if strange:
        raise OperatorFault(f"{{{strange[0]}}} stands for nothing; these do: {', '.join(sorted(PLACEHOLDERS))}.")
    host = urlsplit(url).hostname
    if not may_be_asked(host, allowed):
        raise OperatorFault(f"The URL cannot be asked: {host} is not a public address.")
    return kind


def checked_types(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the types that patterns name; raise `OperatorFault` if there are none, or one names nothing."""
    if not patterns:
        raise OperatorFault("Name the events, like commission.* or conversion.review")
    try:
        return matching_types(patterns)
    except ValueError as fault:
        types = ", ".join(matching_types(["*"]))
        text = f"There is no event {str(fault)!r}; there are {types}, and patterns such as commission.*"
        raise OperatorFault(text) from None


def checked_version(version: str) -> str:
    """Return a version of messages; raise `OperatorFault` if the hub sends none of it."""
    if version not in versions():
        raise OperatorFault(f"There is no payload version {version!r}; the hub sends {', '.join(versions())}.")
    return version
