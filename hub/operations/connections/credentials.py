"""Credentials as they are typed, and the shop that they turn out to be of: what can be refused without storing them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from hub.domain.connectors.deliveries import site_of
from hub.domain.connectors.request_logins import Credential
from hub.domain.connectors.requests import Requests
from hub.domain.money import PLATFORM_CURRENCIES
from hub.operations.errors import InvalidFields, OperatorFault
from hub.outbound.platform_client import Shop

MOST_CHARACTERS: Final = 4_000
"""Of one credential."""
PASTED: Final = re.compile(r"(?:https?://)?(?P<place>(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:/[^\s?#]*)?)[^\s]*")
"""A web address with or without its scheme, and what follows it."""


def checked_credentials(requests: Requests, typed: Mapping[str, str]) -> dict[str, str]:
    """Return the credentials without spaces around them; raise `InvalidFields` for each that cannot be right."""
    given = {each.name: _meant(each, typed.get(each.name, "")) for each in requests.credentials}
    faults = {
        each.name: fault for each in requests.credentials if (fault := _fault(each, given[each.name])) is not None
    }
    for name in set(typed) - set(given):
        faults[""] = f"There is no credential {name!r}; there are {', '.join(given)}"
    if faults:
        raise InvalidFields(faults)
    return {name: text.rstrip("/") if text.startswith("http") else text for name, text in given.items() if text}


def checked_typed(requests: Requests, names: Sequence[str], typed: Mapping[str, str]) -> dict[str, str]:
    """Return only the credentials of these names; raise `InvalidFields` for each that is missing or cannot be right."""
    wanted = [each for each in requests.credentials if each.name in names]
    given = {each.name: _meant(each, typed.get(each.name, "")) for each in wanted}
    faults = {
        each.name: fault
        for each in wanted
        if (fault := _fault(attrs.evolve(each, is_required=True), given[each.name])) is not None
    }
    if faults:
        raise InvalidFields(faults)
    return {name: text.rstrip("/") if text.startswith("http") else text for name, text in given.items()}


def consent_places(requests: Requests) -> tuple[str, ...]:
    """Return the names of the credentials that are typed before the owner agrees: those of no secret in the page."""
    page = "" if requests.consent is None else requests.consent.page + requests.root
    return tuple(
        each.name
        for each in requests.credentials
        if each.is_typed and not each.is_secret and each.name != "client_id" and f"{{{each.name}}}" in page
    )


def refuse_currency(shop: Shop) -> None:
    """Raise `OperatorFault` for a shop whose currency the hub could not keep."""
    if shop.currency and shop.currency not in PLATFORM_CURRENCIES:
        raise OperatorFault(
            f"The shop sells in {shop.currency[:20]!r}, which is not a currency of ISO 4217: the hub could keep none "
            "of its orders. Choose another currency in the shop's settings first."
        )


def checked_site(shop: Shop, known: str | None) -> str | None:
    """Return the site of a shop, None if it is not stated; raise `OperatorFault` if another one is `known`."""
    named = site_of(shop.site) if shop.site else None
    if named is not None and known is not None and named != known:
        raise OperatorFault(
            f"The credentials are of {named}, and this connection belongs to {known}. If the shop has moved, say so "
            "first.",
            command="To say so: hub connection site",
        )
    return named


def _meant(declared: Credential, typed: str) -> str:
    """Return what somebody meant by what they typed or pasted.

    An address may lack its `https://`, and a host be pasted as the address of a page, as browsers show it.
    """
    text = typed.strip()
    address = PASTED.fullmatch(text)
    if declared.is_secret or address is None:
        return text
    might_be = (text, f"https://{address['place']}", address["host"].lower())
    return next((each for each in might_be if re.fullmatch(declared.pattern, each)), text)


def _fault(declared: Credential, text: str) -> str | None:
    if not text:
        return f"{declared.label} is missing" if declared.is_required else None
    if len(text) > MOST_CHARACTERS or not text.isprintable():
        return f"{declared.label} is not printable, or too long"
    if declared.pattern and re.fullmatch(declared.pattern, text) is None:
        return f"{declared.label} does not look right" + (f"; it is such as {declared.hint}" if declared.hint else "")
    return None
