"""/merchant/logs: the requests of the account, and the signature doctor for those that were refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import evolve, frozen

from hub.domain.signature_diagnosis import Diagnosis, Difference, SignedRequest, diagnose, first_difference
from hub.domain.signing import timestamp_seconds
from hub.merchant_api.api_keys import Key
from hub.operations.errors import OperatorFault
from hub.operations.merchants.keys import list_keys
from hub.operations.orders.request_log import (
    REQUESTS,
    ShownRequest,
    account_requests,
    error_counts,
    show_request,
)
from hub.operations.orders.signature_uses import FirstUse, first_use, is_spent
from hub.pages.filter_chips import Filters
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable
from hub.records.requests import RequestDocument

ERRORS: Final = {
    "missing_header": "X-API-Key, X-Timestamp or X-Signature is missing.",
    "duplicate_header": "A header of the signature was sent twice.",
    "bad_timestamp": "X-Timestamp is not Unix seconds in ten digits.",
    "timestamp_out_of_range": "X-Timestamp is more than five minutes from the hub's clock.",
    "bad_signature": "The signature is not that of this request.",
    "bad_nonce": "X-Nonce is not a valid nonce.",
    "bad_signature_version": "There is no such signature version.",
    "signature_version_required": "The key only accepts a newer signature version.",
    "signature_replayed": "This signature was already accepted. Sign each attempt again, with a fresh timestamp.",
    "unknown_key": "There is no such key.",
    "key_revoked": "The key was revoked.",
    "key_expired": "The key has expired.",
    "unknown_token": "The merchant has no such token.",
    "bad_token": "The token's secret is wrong.",
    "token_revoked": "The token was revoked.",
    "token_expired": "The token has expired.",
    "token_owner_gone": "The person who created the token may no longer do this.",
    "token_missing": "Authorization has no bearer token.",
    "token_in_address": "The token was sent in the URL, where others can read it. Make a new one.",
    "signature_required": "The account only accepts signed requests.",
    "insufficient_scope": "The token does not have the scope for this.",
    "ip_not_allowed": "The key may not be used from this address.",
    "merchant_suspended": "The merchant is suspended.",
    "merchant_not_approved": "The merchant is not approved for live orders yet.",
    "connection_closed": "The connection is closed, and the platform still sends to it.",
    "no_secret": "The connection has no live secret to verify a signature with.",
    "another_site": "The delivery comes from a different site than the one the connection belongs to.",
}
SENTENCES: Final = {
    **ERRORS,
    "validation_failed": "Something in the body or the query is not valid. The request's page says what.",
    "malformed_json": "The body is not JSON.",
    "not_found": "Nothing has this address or id.",
    "rate_limited": "There were too many requests within a minute or an hour.",
}
DELIVERIES: Final = {
    **ERRORS,
    "bad_signature": "It was not made with a live secret of the connection, or the body was changed on its way.",
    "missing_header": "The header with the platform's signature is missing.",
    "duplicate_header": "The header with the platform's signature was sent twice.",
}
"""What is wrong with a platform's delivery, which is signed in the platform's own way."""
EVIDENCE: Final = {
    "faults": "What has to change",
    "signedString": "What is signed",
    "clockSkewSeconds": "Clock difference, in seconds",
    "connectionHeader": "Header of the signature",
    "computedBegins": "The hub computes",
    "givenBegins": "The delivery has",
    "bodyBytes": "Bytes of the body",
    "bodySha256Begins": "SHA-256 of the body",
}
"""What the log kept of a refused request, in words."""
CONNECT: Final = "/connect/"
UNDOCUMENTED: Final = ("connection_closed", "no_secret", "unknown_connection")
"""Codes of the log alone: /docs/errors has those of answers."""
FILTERS: Final = ("q", "code", "key", "errors")
WORDS: Final = {"q": "Path or id", "code": "Error", "key": "Key", "errors": "Refused"}
FIELDS: Final = ("key", "timestamp", "signature", "nonce", "version", "method", "target", "body", "signed")
HEADER: Final = re.compile(r"^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$")
NAMES: Final = {
    "x-api-key": "key",
    "x-timestamp": "timestamp",
    "x-signature": "signature",
    "x-nonce": "nonce",
    "x-signature-version": "version",
}


@frozen
class Opinion:
    """What the doctor says: the diagnosis, and where the text that the shop signed differs, if it was pasted.

    `spent` says that the signature was used by an earlier request.
    """

    diagnosis: Diagnosis
    difference: Difference | None
    compared: bool
    key_fault: str | None
    spent: bool
    first_use: FirstUse | None

    @property
    def signed(self) -> str:
        """What the hub signs, as text."""
        return self.diagnosis.signed.decode("utf-8", "backslashreplace")


PAGES: Final = RouteTable(merchant_page)


@PAGES.get("/merchant/logs")
async def show_log(visit: MerchantVisit) -> web.StreamResponse:
    """Show the requests of the account, newest first."""
    store, asked = visit.services.store, Filters.of("/merchant/logs", visit.query, FILTERS)
    filters = {"text": asked.get("q"), "code": asked.get("code"), "key_id": asked.get("key")}
    wanted = wanted_of(visit.visit, REQUESTS, filters)
    if asked.get("errors") == "1":
        wanted = evolve(wanted, filters={**wanted.filters, "refused": 1})
    page = await account_requests(store, visit.account_id, wanted)
    older, newer = beside("/merchant/logs", page, asked.given)
    counts = await error_counts(store, visit.account_id, visit.services.clock())
    codes = dict.fromkeys([*(code for code, _ in counts), *ERRORS])
    return visit.page(
        "merchant/logs.html",
        requests=page.entries,
        asked=asked,
        chips=asked.chips(WORDS, {"1": "only"}),
        names={key.key_id: key.name for key in await list_keys(store, visit.merchant_id)},
        codes=[("", "Any"), *((code, code) for code in codes)],
        counts=counts,
        errors=SENTENCES,
        deliveries=DELIVERIES,
        looked_at=page.looked_at,
        older=older,
        newer=newer,
    )


@PAGES.get("/merchant/logs/requests/{request}")
async def show_one(visit: MerchantVisit) -> web.StreamResponse:
    """Show one request: what was sent, what the hub answered, and what to do about it."""
    try:
        found = await show_request(visit.services.store, visit.account_id, visit.path["request"])
    except OperatorFault:
        raise NotInAccount from None
    request = found.request
    return visit.page(
        "merchant/request.html",
        found=found,
        request=request,
        first=await _repeated(visit, request),
        doctor=_doctor(request),
        answer=_indented(str(found.kept["answer"])) if found.kept else "",
        again=_again(found),
        base=f"{(await visit.services.root()).rstrip('/')}",
        errors=DELIVERIES if request.path.startswith(CONNECT) else ERRORS,
        evidence=EVIDENCE,
        undocumented=UNDOCUMENTED,
    )


def _indented(text: str) -> str:
    """Return JSON over several lines, and any other text as it is."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text


def _again(found: ShownRequest) -> str | None:
    """Return the body to send again, None where that is not safe or not possible.

    It is safe after a refusal, which stored nothing, and possible where the whole body was kept; it is signed anew by
    whoever has the secret, which the pages never show.
    """
    kept = found.kept
    return str(kept["body"]) if kept is not None and kept["whole"] and found.request.key_id is not None else None


async def _logged(visit: MerchantVisit, request_id: str) -> dict[str, str]:
    """Return the doctor's fields as the log has them of a refused request."""
    try:
        found = await show_request(visit.services.store, visit.account_id, request_id)
    except OperatorFault:
        return {}
    kept = found.kept or {"headers": {}, "body": "", "whole": False}
    sent = {NAMES[name.lower()]: value for name, value in kept["headers"].items() if name.lower() in NAMES}
    place = {"method": found.request.method, "target": found.request.path}
    return place | sent | ({"body": kept["body"]} if kept["whole"] else {})


@PAGES.get("/merchant/logs/signature")
async def show_doctor(visit: MerchantVisit) -> web.StreamResponse:
    """Show the form in which headers and body are pasted, filled in from the log if it leads here."""
    given = {name: visit.query.get(name, "") for name in FIELDS}
    if "request" in visit.query:
        given |= await _logged(visit, visit.query["request"])
    return visit.page(
        "merchant/signature.html", given={"method": "POST", "version": "1"} | given, opinion=None, faults={}
    )


@PAGES.post("/merchant/logs/signature", viewers=True)
async def ask_doctor(visit: MerchantVisit) -> web.StreamResponse:
    """Say what is wrong with the signature of a request that was pasted."""
    given = {name: visit.form.get(name, "") for name in FIELDS} | pasted(visit.form.get("headers", ""))
    faults = {name: f"Paste the request's {name}." for name in ("key", "timestamp", "signature") if not given[name]}
    key = await visit.services.api_keys.find(given["key"], visit.services.clock()) if not faults else None
    if not faults and (key is None or key.caller.account_id not in visit.accounts.values()):
        faults = {"key": "This merchant has no such key."}
    if faults or key is None:
        return visit.page("merchant/signature.html", 422, given=given, opinion=None, faults=faults)
    body, now = given["body"].encode(), visit.services.clock()
    request = SignedRequest(
        given["timestamp"], given["signature"], body, given["nonce"] or None, 2 if given["version"] == "2" else 1,
        given["method"] or "POST", given["target"] or "/",
    )  # fmt: skip
    found = diagnose(key.secret, request, now)
    signed = given["signed"].encode()
    difference = first_difference(found.signed, signed) if signed else None
    spent, first = await _spent(visit, key, given) if found.genuine else (False, None)
    opinion = Opinion(found, difference, bool(signed), key.fault(now), spent, first)
    return visit.page("merchant/signature.html", given=given, opinion=opinion, faults={}, errors=ERRORS)


async def _spent(visit: MerchantVisit, key: Key, given: Mapping[str, str]) -> tuple[bool, FirstUse | None]:
    """Return whether a genuine signature was used by a write already, and by which request."""
    store, account_id, signed_at = visit.services.store, key.caller.account_id, timestamp_seconds(given["timestamp"])
    if signed_at is None or not await is_spent(store, account_id, signed_at, given["signature"]):
        return False, None
    return True, await first_use(
        store, account_id, key_id=given["key"], method=given["method"] or "POST", path=given["target"] or None,
        signed_at=signed_at, before=visit.services.clock() + 1,
    )  # fmt: skip


async def _repeated(visit: MerchantVisit, request: RequestDocument) -> FirstUse | None:
    """Return of which earlier request a refused one is the repetition, None if it is none or that is not known."""
    signed_at = (request.detail or {}).get("signedAt")
    if request.error_code != "signature_replayed" or not isinstance(signed_at, int):
        return None
    return await first_use(
        visit.services.store, visit.account_id, key_id=request.key_id or "", method=request.method, path=request.path,
        signed_at=signed_at, before=request.at,
    )  # fmt: skip


def _doctor(request: RequestDocument) -> str:
    """Return the address that says more about a refused request.

    It is that of the doctor with what the log has; a delivery, which is signed in the platform's way, has a doctor of
    its own.
    """
    if request.path.startswith(CONNECT):
        named = {"connection": request.path.removeprefix(CONNECT), "request": request.request_id}
        return f"/merchant/logs/delivery?{urlencode(named)}"
    return f"/merchant/logs/signature?{urlencode({'request': request.id})}"


def pasted(headers: str) -> dict[str, str]:
    """Read the headers of a signature from lines of "Name: value"; other lines are ignored."""
    found = {}
    for line in headers.splitlines():
        match = HEADER.match(line)
        if match is not None and match[1].lower() in NAMES:
            found[NAMES[match[1].lower()]] = match[2]
    return found
