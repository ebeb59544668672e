"""What stands before every page: session, role, for a form its origin and token, and the proof that an act asks for.

A page that somebody may not see is answered as one that does not exist, so nothing is said about it. A form is refused
unless the browser says that it comes from this site (`Sec-Fetch-Site`, else `Origin`; old browsers send neither) and it
has the token that the page got for this very cookie.
"""

from __future__ import annotations

from time import perf_counter_ns
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

import structlog
from aiohttp import web

from hub.acts.authority import OPERATORS
from hub.http.client_address import client_of
from hub.http.compression import LEAST_BYTES, note_variants, packed
from hub.http.errors import ApiError
from hub.http.request import ReceivedBody, read_body
from hub.http.router import PathValues, Route
from hub.operations.errors import OperatorFault
from hub.operations.notices import unread_addresses
from hub.operations.trail import Actor, acting_as
from hub.pages.file_forms import MULTIPART, FileFormFault, take_file_form
from hub.pages.kept_forms import keep, may_keep, sender_of
from hub.pages.page_shares import TooManyPages
from hub.pages.proof import back_from_proof, unproved
from hub.pages.rendering import render, see_other, show_brand
from hub.pages.visit import Page, PageServices, Visit, is_csrf_token, local_address, new_token
from hub.people.passwords import TooManyAtOnce
from hub.people.saved_views import LISTS, views_of
from hub.people.sessions import Client
from hub.storage import StoreUnavailable

MOST_FORM_BYTES: Final = 65_536
MOST_FIELDS: Final = 150
FORM_SECONDS: Final = 15.0
LONGEST_TOKEN: Final = 128
PACKED: Final = ("text/html", "text/csv", "application/json", "image/svg+xml")
"""What is compressed; pictures and PDF files are so already."""

log = structlog.get_logger(__name__)


class RefusedForm(Exception):
    """A form that did not come from a page of this hub, or from one that is too old."""


class OlderForm(RefusedForm):
    """A form with the token of another session, or none."""

    def __init__(self, fields: dict[str, str]) -> None:
        """Take the fields as they were sent."""
        super().__init__()
        self.fields = fields


def guarded(services: PageServices, page: Page) -> list[Route]:
    """Return the routes of a page: GET also answers HEAD."""

    async def serve(request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        started = perf_counter_ns()
        response = await _packed(request, await _answered(services, page, request, path))
        services.metrics.note_request(
            f"{page.method} {page.path}", response.status, (perf_counter_ns() - started) / 1e9
        )
        return response

    methods = ("GET", "HEAD") if page.method == "GET" else (page.method,)
    return [Route(method, page.path, serve) for method in methods]


async def _packed(request: web.BaseRequest, response: web.StreamResponse) -> web.StreamResponse:
    """Compress a page if the browser accepts that: five to ten times fewer bytes on the way."""
    if not isinstance(response, web.Response) or not isinstance(response.body, bytes):
        return response
    if response.content_type not in PACKED or len(response.body) < LEAST_BYTES:
        return response
    note_variants(response.headers)
    response.body = await packed(request.headers, response.headers, response.body)
    return response


async def _answered(
    services: PageServices, page: Page, request: web.BaseRequest, path: PathValues
) -> web.StreamResponse:
    """Answer a request; every fault becomes a page here."""
    try:
        show_brand(await services.brands.get())
        visit = await _visit(services, request, path)
        if not page.public and visit.session is None:
            return await _without_session(visit, request, page)
        barred = _barred(visit, page)
        if barred is not None:
            return barred
        if page.method == "POST":
            older = await _take_checked_form(visit, request, page)
            if older is not None:
                return keep(visit, older)
        asked = None if page.proves_later else await unproved(visit, page.grant, back_from_proof(visit, page))
        return asked if asked is not None else _noted(visit, page, await _shown(visit, page))
    except RefusedForm:
        return _fault(403, "This form is too old", "Go back, reload the page and send it again.")
    except ApiError as refusal:
        return _fault(refusal.status, "This request cannot be read", "Go back, reload the page and send it again.")
    except (StoreUnavailable, TooManyAtOnce, TooManyPages):
        response = _fault(503, "Just a moment", "The hub is busy. Nothing was done; please try again.")
        response.headers["Retry-After"] = "2"
        return response
    except Exception:
        log.exception("a page failed", page=page.path)
        return _fault(500, "Something went wrong", "The fault is in the hub's log. Please try again.")


def _barred(visit: Visit, page: Page) -> web.Response | None:
    """Return the answer to what cannot be asked, or not by this person; None if the page may go on."""
    holds_nul = any("\x00" in text for text in (*visit.path.values(), *visit.query.values()))  # and so cannot be stored
    if holds_nul:
        return visit.page("not_found.html", 404)
    if page.roles and not visit.person.has_role(*page.roles):
        log.warning("a page of another role was asked for", **_whence(visit, page))
        return visit.page("not_found.html", 404)
    if set(page.roles) & set(OPERATORS.roles) and visit.needs_second_factor:
        return see_other("/account/security")
    return None


async def _without_session(visit: Visit, request: web.BaseRequest, page: Page) -> web.StreamResponse:
    """Lead to signing in; a form is kept, since its session may have ended while somebody wrote."""
    if may_keep(request, page):
        return keep(visit, await _fields(visit, request))
    return see_other(f"/login?then={quote(_back(request), safe='/')}")


def _noted(visit: Visit, page: Page, response: web.StreamResponse) -> web.StreamResponse:
    """Log a proof of who somebody is that was refused: each counts towards a pause, so there is no flood of lines."""
    if page.method == "POST" and page.path.startswith("/login") and response.status == 422:
        log.warning("a sign-in failed", **_whence(visit, page))
    return response


def _whence(visit: Visit, page: Page) -> dict[str, str | None]:
    session = visit.session
    user = None if session is None else session.person.user_id
    return {"page": page.path, "user": user, "address": visit.client.address}


async def _shown(visit: Visit, page: Page) -> web.StreamResponse:
    """Let the page answer; a refusal that it lets through says that what the address names is not there."""
    try:
        return await _handled(visit, page)
    except OperatorFault as fault:
        log.info("a page was asked for what is not there", page=page.path, fault=str(fault))
        return visit.page("not_found.html", 404)


async def _handled(visit: Visit, page: Page) -> web.StreamResponse:
    """Let the page answer, whose acts are those of the person who has signed in."""
    if visit.session is None:
        return await page.handler(visit)
    if page.method == "GET":
        visit.unread = await unread_addresses(visit.services.store, visit.person.user_id)
    if page.path in LISTS:
        visit.views = await views_of(visit.services.store, visit.person.user_id, page.path)
    actor = Actor("user", visit.person.user_id, "page", visit.client.address)
    async with visit.services.shares.turn(visit.person.user_id):
        with acting_as(actor):
            return await page.handler(visit)


def _fault(status: int, title: str, text: str) -> web.Response:
    return render("fault.html", status, person=None, csrf="", here="", title=title, text=text)


async def _visit(services: PageServices, request: web.BaseRequest, path: PathValues) -> Visit:
    address = client_of(request, services.trusted_proxies)
    token = request.cookies.get(services.cookie, "")
    known = 0 < len(token) <= LONGEST_TOKEN
    return Visit(
        services=services,
        path=path,
        address=request.path,
        query=request.query,
        cookies=request.cookies,
        client=Client(address, request.headers.get("User-Agent", "")),
        token=token if known else new_token(),
        is_new=not known,
        session=await services.sessions.find(token) if known else None,
        known_tags=frozenset(each.value for each in request.if_none_match or ()),
    )


def _back(request: web.BaseRequest) -> str:
    """Return the address to come back to after signing in: a form's is that of the page that it was on."""
    if request.method in ("GET", "HEAD"):
        return request.path_qs
    page = urlsplit(request.headers.get("Referer", ""))
    if page.netloc != request.headers.get("Host"):
        return "/"
    return local_address(page.path + (f"?{page.query}" if page.query else ""))


async def _take_checked_form(visit: Visit, request: web.BaseRequest, page: Page) -> dict[str, str] | None:
    """Set the form of a visit; return the fields, and set none, if it is this site's but of an older session.

    A refused form of a person is logged. A stranger's are only counted: they may have no end.
    """
    visit.keeps_form = may_keep(request, page)
    try:
        await _take_form(visit, request, takes_file=page.takes_file)
    except RefusedForm as refused:
        if isinstance(refused, OlderForm) and visit.keeps_form:
            return refused.fields
        if visit.session is not None:
            log.warning("a form was refused", **_whence(visit, page))
        raise
    return None


async def _take_form(visit: Visit, request: web.BaseRequest, *, takes_file: bool) -> None:
    """Set the form of a visit, and its file; raise `RefusedForm`, or `ApiError` if the body is not a form."""
    if sender_of(request) == "another":
        raise RefusedForm
    if takes_file and request.content_type == MULTIPART:
        services = visit.services
        try:
            fields, file = await take_file_form(request, services.most_file_bytes, services.file_seconds)
        except FileFormFault:
            raise RefusedForm from None
        visit.file = file
    else:
        fields = await _fields(visit, request)
    if any("\x00" in value for value in fields.values()):
        raise RefusedForm
    if visit.is_new or not is_csrf_token(visit.token, fields.pop("csrf", "")):
        raise OlderForm(fields)
    visit.form = fields


async def _fields(visit: Visit, request: web.BaseRequest) -> dict[str, str]:
    body = ReceivedBody(visit.services.admission, visit.client.address)
    raw = await read_body(request, MOST_FORM_BYTES, FORM_SECONDS, body)
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise RefusedForm from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}
