"""/merchant/logs: the requests of the account, and the signature doctor for those that were refused."""

from __future__ import annotations

import re
from typing import Final

from aiohttp import web
from attrs import frozen

from hub.domain.signature_diagnosis import Diagnosis, Difference, SignedRequest, diagnose, first_difference
from hub.operations.orders.message_lists import error_counts, list_requests
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.visit import Page

ERRORS: Final = {
    "missing_header": "X-API-Key, X-Timestamp or X-Signature is missing.",
    "duplicate_header": "A header of the signature was sent twice.",
    "bad_timestamp": "X-Timestamp is not Unix seconds in ten digits.",
    "timestamp_out_of_range": "X-Timestamp is more than five minutes from the hub's clock.",
    "bad_signature": "The signature is not that of this request.",
    "bad_nonce": "The nonce is not one.",
    "bad_signature_version": "There is no such version of the signature.",
    "signature_version_required": "The key takes a newer version of the signature only.",
    "signature_replayed": "A request with this signature was taken already: sign each attempt anew, with a fresh time.",
    "unknown_key": "There is no such key.",
    "key_revoked": "The key was revoked.",
    "key_expired": "The key has ended.",
    "ip_not_allowed": "The key may not be used from this address.",
    "merchant_suspended": "The merchant is suspended.",
    "merchant_not_approved": "The merchant is not approved for live orders yet.",
}
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
    """What the doctor says: the diagnosis, and where the text that the shop signed differs, if it was pasted."""

    diagnosis: Diagnosis
    difference: Difference | None
    compared: bool
    key_fault: str | None

    @property
    def signed(self) -> str:
        """What the hub signs, as text."""
        return self.diagnosis.signed.decode("utf-8", "backslashreplace")


def log_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", "/merchant/logs", show_log),
        merchant_page("GET", "/merchant/logs/signature", show_doctor),
        merchant_page("POST", "/merchant/logs/signature", ask_doctor, viewers=True),
    ]


async def show_log(visit: MerchantVisit) -> web.StreamResponse:
    """Show the requests of the account, newest first."""
    store, refused = visit.services.store, visit.query.get("errors") == "1"
    requests, older = await list_requests(
        store, visit.account_id, refused_only=refused, before=visit.query.get("after")
    )
    return visit.page(
        "merchant/logs.html",
        requests=requests,
        refused=refused,
        counts=await error_counts(store, visit.account_id, visit.services.clock()),
        errors=ERRORS,
        older=None if older is None else f"/merchant/logs?{'errors=1&' if refused else ''}after={older}",
    )


async def show_doctor(visit: MerchantVisit) -> web.StreamResponse:
    """Show the form in which headers and body are pasted."""
    given = {name: visit.query.get(name, "") for name in FIELDS}
    return visit.page(
        "merchant/signature.html", given={"method": "POST", "version": "1"} | given, opinion=None, faults={}
    )


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
    opinion = Opinion(found, first_difference(found.signed, signed) if signed else None, bool(signed), key.fault(now))
    return visit.page("merchant/signature.html", given=given, opinion=opinion, faults={}, errors=ERRORS)


def pasted(headers: str) -> dict[str, str]:
    """Read the headers of a signature from lines of "Name: value"; other lines are ignored."""
    found = {}
    for line in headers.splitlines():
        match = HEADER.match(line)
        if match is not None and match[1].lower() in NAMES:
            found[NAMES[match[1].lower()]] = match[2]
    return found
