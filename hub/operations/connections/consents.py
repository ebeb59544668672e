"""Connect in one step: the store owner agrees on a page of the platform, which hands the hub its credentials.

A consent begins with a random state, of which the digest is stored with the connection and the person who began it. It
counts once and for half an hour, and nobody else can end it: keys come with the state, and a browser that returns must
be the same person's.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final
from urllib.parse import urlencode

import orjson

from hub.domain.connectors.request_logins import KeyConsent, OAuthConsent
from hub.domain.connectors.request_pages import filled_url, login_headers, prepared, text_in
from hub.domain.connectors.requests import Requests
from hub.operations.connections.connections import connection_row
from hub.operations.connections.credentials import checked_typed, consent_places
from hub.operations.connections.platform_access import GivenCredentials, give_credentials
from hub.operations.connections.platform_apps import app_of
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.outbound.platform_client import PlatformFault
from hub.outbound.platform_tokens import granted
from hub.platform_sync.access import Platforms
from hub.platform_sync.no_access import NoAccess
from hub.storage import Row

STATE_BYTES: Final = 32
LIFETIME_MS: Final = 30 * 60_000
KEYS_PATH: Final = "/consent/keys"
RETURN_PATH: Final = "/merchant/consent"
MOST_FIELDS: Final = 10
ENDED: Final = "This consent has expired, or is not yours. Start again on the connection's page."


async def begin_consent(platforms: Platforms, connection_id: str, user_id: str, typed: Mapping[str, str]) -> str:
    """Return the URL of the platform's page on which the store owner agrees.

    `typed` has the credentials that are no secret, such as the shop's address. Raise `InvalidFields` or
    `OperatorFault`.
    """
    async with platforms.store.read() as tx:
        row = await connection_row(tx, connection_id)
    requests = await _requests(platforms, row)
    consent, root = requests.consent, await platforms.root()
    if consent is None or row["status"] != "ACTIVE":
        raise OperatorFault("This platform has no page on which to agree; type its credentials instead.")
    if isinstance(consent, KeyConsent) and not root.startswith("https://"):
        raise OperatorFault(
            f"The store sends its keys to https addresses only, and this hub is at {root}. Type the keys instead, or "
            "set HUB_SERVER_PUBLIC_URL to an https address."
        )
    values = checked_typed(requests, consent_places(requests), typed)
    state = secrets.token_urlsafe(STATE_BYTES)
    challenge = _challenge(_verifier(platforms, state))
    places = {**values, "state": state, "code_challenge": challenge,
              "returns": f"{root}/merchant/connections/{connection_id}"}  # fmt: skip
    if isinstance(consent, OAuthConsent):
        app = await app_of(platforms, row["connector"])
        places |= {"client_id": app.client_id, "scopes": consent.asked_scopes, "callback": root + RETURN_PATH}
    else:
        places["callback"] = root + KEYS_PATH
    now = platforms.clock()
    async with platforms.store.write() as tx:
        await tx.run(
            "insert_consent", state_digest=_digest(state), connection_id=connection_id, user_id=user_id,
            values_given=orjson.dumps(values).decode(), now=now, expires_at=now + LIFETIME_MS,
        )  # fmt: skip
        await note_act(tx, now, "connection.consent-begun", connection_id, after={"shown": values})
    return filled_url(consent.page, places)


async def take_keys(platforms: Platforms, body: object) -> GivenCredentials:
    """Store the keys that a shop posted after its owner agreed; raise `OperatorFault` for a state that is not known."""
    given = body if isinstance(body, dict) else {}
    # The field that has the state is the connector's to name, and the connector is known only by the state.
    for text in [each for each in given.values() if isinstance(each, str)][:MOST_FIELDS]:
        row = await _spent(platforms, text)
        if row is not None:
            break
    else:
        raise OperatorFault(ENDED)
    async with platforms.store.read() as tx:
        about = await connection_row(tx, row["connection_id"])
        requests = await _requests(platforms, about)
    consent = requests.consent
    if not isinstance(consent, KeyConsent) or given.get(consent.state) != text:
        raise OperatorFault(ENDED)
    values = {**json.loads(row["values_given"]), **{name: text_in(given, path) for name, path in consent.grants}}
    try:
        return await give_credentials(platforms, row["connection_id"], values)
    except OperatorFault as fault:
        # The shop tells its owner nothing, so the connection's page has to.
        await _note_fault(platforms, about, f"{fault} {consent.mend}".rstrip())
        raise


async def return_from_platform(platforms: Platforms, query: Sequence[tuple[str, str]], user_id: str) -> str:
    """Exchange the code that a browser returns with for credentials; return the connection's id.

    Raise `OperatorFault` for a state that is not this person's, a wrong signature, another shop, and a refusal.
    """
    given = dict(query)
    row = await _spent(platforms, given.get("state", ""))
    if row is None or row["user_id"] != user_id:
        raise OperatorFault(ENDED)
    connection_id, values = str(row["connection_id"]), json.loads(row["values_given"])
    async with platforms.store.read() as tx:
        about = await connection_row(tx, connection_id)
    requests = await _requests(platforms, about)
    consent = requests.consent
    if not isinstance(consent, OAuthConsent) or not given.get("code"):
        raise OperatorFault("The platform declined. Start again on the connection's page.")
    app = await app_of(platforms, about["connector"])
    if consent.query_hmac and not _is_signed(query, consent.query_hmac, app.secret):
        raise OperatorFault("The answer is not signed by the platform.")
    if any(given.get(name) != values.get(name) for name in consent.same):
        raise OperatorFault("The platform answers for another shop than the one that was asked.")
    places = {
        **values, "client_id": app.client_id, "client_secret": app.secret, "code": given["code"],
        "callback": await platforms.root() + RETURN_PATH, "scopes": consent.asked_scopes,
        "code_verifier": _verifier(platforms, given["state"]), **_extra(given),
    }  # fmt: skip
    named, tokens = await _exchanged(platforms, connection_id, requests, consent, places)
    await give_credentials(
        platforms, connection_id, {**values, **named}, signed_with=app.secret if consent.signs else "", tokens=tokens
    )
    return connection_id


async def _note_fault(platforms: Platforms, about: Row, fault: str) -> None:
    where = {"account_id": about["account_id"], "connection_id": about["connection_id"]}
    async with platforms.store.write() as tx:
        await tx.run("note_consent_fault", **where, fault=fault, at=platforms.clock())


async def _exchanged(
    platforms: Platforms, connection_id: str, requests: Requests, consent: OAuthConsent, places: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Exchange a code; return the credentials that are granted, and what renews them."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if consent.login is not None:
        headers |= login_headers(consent.login, places)
    request = prepared(consent.token, "", places, headers)
    try:
        async with platforms.anonymous(connection_id, requests) as session:
            answer = await session.post(request)
    except PlatformFault as fault:
        raise OperatorFault(str(fault)) from None
    given_up = f"The platform gave no credentials ({answer.status}); begin again."
    named = {name: text_in(answer.body, path) for name, path in consent.grants}
    if answer.status != 200 or not all(named.values()):
        raise OperatorFault(given_up)
    try:
        tokens = {} if consent.renewal is None else granted(consent.renewal, answer, platforms.clock())
    except PlatformFault:
        raise OperatorFault(given_up) from None
    return named, tokens


async def _spent(platforms: Platforms, state: str) -> Row | None:
    async with platforms.store.write() as tx:
        return await tx.one("spend_consent", state_digest=_digest(state), now=platforms.clock())


async def _requests(platforms: Platforms, row: Row) -> Requests:
    try:
        return await platforms.requests_of(row["connector"])
    except NoAccess as fault:
        raise OperatorFault(str(fault)) from None


def _is_signed(query: Sequence[tuple[str, str]], name: str, secret: str) -> bool:
    """Return whether the parameter `name` is the HMAC-SHA256 in hex of the others, sorted, under the client secret."""
    signed = urlencode(sorted((key, value) for key, value in query if key != name), safe=":/")
    given = next((value for key, value in query if key == name), "")
    return hmac.compare_digest(hmac.digest(secret.encode(), signed.encode(), "sha256").hex(), given.lower())


def _extra(given: Mapping[str, str]) -> dict[str, str]:
    """Return what a token's request may repeat of the answer, as BigCommerce wants it."""
    return {name: given[name] for name in ("scope", "context") if name in given}


def _verifier(platforms: Platforms, state: str) -> str:
    """Return the verifier of a consent (RFC 7636, section 4.1): known to this hub alone, though the state is not."""
    return urlsafe_b64encode(platforms.sealer.derived_key(f"consent:{state}")).rstrip(b"=").decode()


def _challenge(verifier: str) -> str:
    """Return the challenge of a verifier by the method S256."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _digest(state: str) -> str:
    return sha256(state.encode()).hexdigest()
