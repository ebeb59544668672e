"""Access tokens that end: which grant renews one, what its answer grants, and when it is time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from hub.domain.connectors.request_logins import OAuthConsent, TokenGrant
from hub.domain.connectors.request_pages import PLACE, text_in, value_in
from hub.domain.connectors.requests import Requests
from hub.outbound.platform_client import PlatformAnswer, PlatformFault

EARLY_MS: Final = 60_000
"""A token is renewed this long before it ends."""
REFUSALS: Final = (400, 401, 403)
TOKEN: Final = "token"  # noqa: S105 - the name of a credential
REFRESH: Final = "refresh_token"
ENDS: Final = "token_ends"
"""When the token ends (ms UTC, as text); missing if that is not known."""

Fetch = Callable[[Mapping[str, str]], Awaitable[dict[str, str]]]
"""Fetches a token with these values, and returns what was granted."""
Renew = Callable[[Mapping[str, str], Fetch], Awaitable[Mapping[str, str]]]
"""Renews the token of these values by `Fetch`, if nobody else has; returns all credentials as they are by then."""


async def renew_unkept(values: Mapping[str, str], fetch: Fetch) -> Mapping[str, str]:
    """Fetch a token and keep it nowhere: for credentials that are not stored yet."""
    return {**values, **await fetch(values)}


def grant_of(requests: Requests, values: Mapping[str, str]) -> TokenGrant | None:
    """Return how the token of these credentials is renewed, None if it does not end.

    What a consent granted with a refresh token is renewed by that; a token that was typed, without what the grant
    needs, is all that there is.
    """
    consent = requests.consent
    if isinstance(consent, OAuthConsent) and consent.renewal is not None and REFRESH in values:
        return consent.renewal
    grant = requests.grant
    if grant is None or TOKEN not in values:
        return grant
    texts = [text for _, text in grant.form]
    texts += [] if grant.login is None else [grant.login.name, grant.login.secret]
    needed = {name for text in texts for name in PLACE.findall(text)}
    return grant if needed <= values.keys() else None


def is_due(grant: TokenGrant | None, values: Mapping[str, str], now: int) -> bool:
    """Return whether a token must be fetched before anything is asked at `now` (ms UTC)."""
    if grant is None:
        return False
    ends = values.get(ENDS, "")
    return TOKEN not in values or (ends.isdecimal() and now >= int(ends) - EARLY_MS)


def granted(grant: TokenGrant, answer: PlatformAnswer, now: int) -> dict[str, str]:
    """Return what an answer grants at `now` (ms UTC): a token, its end and the next refresh token, if it says them.

    Raise `PlatformFault` if it grants nothing.
    """
    token = text_in(answer.body, grant.token)
    if answer.status != 200 or not token:
        said = text_in(answer.body, "error") if isinstance(answer.body, dict) else ""
        why = f"{answer.status}, {said[:80]}" if said else str(answer.status)
        code = "refused" if answer.status in REFUSALS else "answer"
        raise PlatformFault(f"The platform gives no access token ({why}).", code)
    if grant.ends:
        ends = _moment(value_in(answer.body, grant.ends))
    else:
        ends = _ends(value_in(answer.body, grant.lifetime), now)
    found = {TOKEN: token, ENDS: ends}
    if grant.refresh_token and (following := text_in(answer.body, grant.refresh_token)):
        found[REFRESH] = following
    return found


def _ends(lifetime: Any, now: int) -> str:
    known = isinstance(lifetime, int) and not isinstance(lifetime, bool) and 0 < lifetime < 10**10
    return str(now + lifetime * 1_000) if known else ""


def _moment(said: Any) -> str:
    """Return a moment in seconds since 1970, such as "1553798198.13", as ms UTC; empty if it is none."""
    seconds = str(said).partition(".")[0]
    return f"{seconds}000" if seconds.isdecimal() and seconds.isascii() and len(seconds) < 12 else ""
