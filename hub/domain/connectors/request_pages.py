"""Declared requests made ready: places filled in, answers read, the next page found. Nothing here does any network."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

from attrs import field, frozen

from hub.domain.connectors.request_calls import AnswerErrors, Call
from hub.domain.connectors.request_logins import BasicLogin
from hub.domain.connectors.requests import BodyCursor, BodyLink, LinkHeader, Listing, PageNumbers, Pages

MOST_SAID: Final = 300
"""Characters of what a platform says that are kept."""
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
PLACE: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_LINK: Final = re.compile(r'<([^<>]*)>((?:\s*;\s*[a-zA-Z*]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)')
_NEXT: Final = re.compile(r';\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)', re.IGNORECASE)


class AnswerFault(Exception):
    """An answer that does not have what was declared of it; the text completes "The platform's answer ..."."""


@frozen
class Prepared:
    """A request as it is sent; its headers name the type of `body`."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: str | None = field(default=None, repr=False)
    kind: str = field(default="", eq=False, repr=False)
    """What requests of the same declaration share: they cost alike."""


@frozen
class Place:
    """Where the reading of a list has come to: the number of the next page, or its cursor, or its URL.

    Of a list that is written into a file it is the name of the platform's job, and how many lines were taken in.
    """

    page: int = 1
    cursor: str = ""
    url: str = ""
    job: str = ""
    line: int = 0


@frozen
class AnswerError:
    """What an answer of status 200 says went wrong: in a sentence, and whether it may go better, or was denied."""

    says: str
    again: bool
    denied: bool


def prepared(call: Call, root: str, values: Mapping[str, str], headers: Mapping[str, str]) -> Prepared:
    """Return a call with its places filled in from `values`; raise KeyError for one without a value.

    In a path and a form values are percent-encoded, in a JSON body they are escaped as parts of its texts.
    """
    if call.path.startswith("https://") or call.path.startswith("http://") or call.path.startswith("{"):
        url = filled_url(call.path, values)
    else:
        url = filled_url(root, values) + _filled(call.path, values, lambda text: quote(text, safe=""))
    own = {name: _filled(value, values, str) for name, value in call.headers}
    kind = FORM if call.encoding == "form" else {}
    return Prepared(
        call.method, url, {**headers, **kind, **own}, _body(call, values), f"{call.method} {call.path} {call.body}"
    )


def filled_url(template: str, values: Mapping[str, str]) -> str:
    """Return a URL with its places filled in; what begins it is an address and kept, the rest is percent-encoded."""
    found = PLACE.match(template)
    if found is None:
        return _filled(template, values, lambda text: quote(text, safe=""))
    rest = template[found.end() :]
    return values[found[1]].rstrip("/") + _filled(rest, values, lambda text: quote(text, safe=""))


def login_headers(login: object, values: Mapping[str, str]) -> dict[str, str]:
    """Return the header of a `BasicLogin` or `TokenHeader`, filled in; raise KeyError for a missing credential."""
    from base64 import b64encode

    if isinstance(login, BasicLogin):
        pair = f"{_filled(login.name, values, str)}:{_filled(login.secret, values, str)}"
        return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    header, value = str(getattr(login, "header", "")), str(getattr(login, "value", ""))
    return {header: _filled(value, values, str)}


def since_values(since: int, now: int | None = None) -> dict[str, str]:
    """Return the values of the places that name a moment (ms UTC): since when, and until now if that is known."""
    since_text = _moment(since)
    values = {"since": since_text, "since_z": f"{since_text}Z"}
    return values if now is None else {**values, "now": _moment(now), "now_z": f"{_moment(now)}Z"}


def page_values(size: int, place: Place) -> dict[str, str]:
    """Return the values of the places that name a page."""
    null = json.dumps(place.cursor) if place.cursor else "null"
    counted = {"page": str(place.page), "offset": str((place.page - 1) * size), "size": str(size)}
    return {**counted, "cursor": place.cursor, "cursor_or_null": null}


def listed_page(
    listing: Listing, root: str, values: Mapping[str, str], headers: Mapping[str, str], place: Place
) -> Prepared:
    """Return the request for the page of a list at a place."""
    call = listing.following if listing.following is not None and place.cursor else listing.call
    request = prepared(call, root, {**values, **page_values(listing.page_size, place)}, headers)
    if not place.url:
        return request
    return Prepared(request.method, place.url, request.headers, request.body, request.kind)


def next_place(
    pages: Pages, size: int, place: Place, url: str, headers: Mapping[str, str], answer: Any, count: int
) -> Place | None:
    """Return where the next page is, None after the last; `headers` have lower-case names, `count` items were read.

    Raise `AnswerFault` for a next page of another host: it would be given the credentials.
    """
    if isinstance(pages, PageNumbers):
        return Place(page=place.page + 1) if _follows(pages, size, place, answer, count) else None
    if isinstance(pages, BodyCursor):
        following = after_cursor(pages, answer)
        if following is not None and following.cursor == place.cursor:
            raise AnswerFault("names the same cursor twice")
        return following
    if isinstance(pages, BodyLink):
        link = value_in(answer, pages.path)
    elif isinstance(pages, LinkHeader):
        link = _next_link(headers.get("link", ""))
    if not isinstance(link, str) or not link:
        return None
    return Place(url=_same_host(url, link))


def after_cursor(pages: BodyCursor, answer: Any) -> Place | None:
    """Return the place that an answer's cursor names, None if nothing follows."""
    cursor = value_in(answer, pages.cursor)
    more = value_in(answer, pages.more) is True if pages.more else True
    return Place(cursor=str(cursor)) if isinstance(cursor, str | int) and str(cursor) and more else None


def answer_error(declared: AnswerErrors | None, answer: Any) -> AnswerError | None:
    """Return what an answer of status 200 says went wrong, None if nothing that counts did."""
    found = None if declared is None else value_in(answer, declared.path)
    if declared is None or found is None or found == []:
        return None
    errors = found if isinstance(found, list) else [found]
    counting = [each for each in errors if not _is_spared(declared, each)]
    if not counting:
        return None
    codes = {text_in(each, declared.code) for each in counting}
    first = counting[0]
    says = first if isinstance(first, str) else text_in(first, declared.message)
    return AnswerError(says[:MOST_SAID] or "an error without words", not codes.isdisjoint(declared.again),
                       not codes.isdisjoint(declared.denied))  # fmt: skip


def refusal_in(call: Call, answer: Any) -> str | None:
    """Return why an act was refused, as its answer says; None if it was not."""
    found = value_in(answer, call.refused) if call.refused else None
    if not found:
        return None
    first = found[0] if isinstance(found, list) else found
    return (text_in(first, "message") or str(first))[:MOST_SAID]


def items_of(answer: Any, path: str) -> list[dict[str, Any]]:
    """Return the objects of an answer's array at `path`; raise `AnswerFault` if it is not one."""
    found = [] if answer is None else value_in(answer, path)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise AnswerFault(f"has no list of objects{f' at {path}' if path else ''}")
    return found


def value_in(answer: Any, path: str) -> Any:
    """Return what is at a path of names joined by dots, None if there is nothing; the empty path is all of it.

    In an array a number is a place, counted from 0.
    """
    for name in path.split(".") if path else ():
        if isinstance(answer, list) and name.isdecimal() and name.isascii():
            answer = answer[int(name)] if int(name) < len(answer) else None
        else:
            answer = answer.get(name) if isinstance(answer, dict) else None
    return answer


def text_in(answer: Any, path: str) -> str:
    """Return the text or whole number at a path as text, empty if there is neither."""
    found = value_in(answer, path) if path else None
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found) if isinstance(found, str | int) else ""


def texts_in(answer: Any, path: str) -> list[str]:
    """Return the texts of an array at a path; for anything else the one text that `text_in` returns."""
    found = value_in(answer, path) if path else None
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else [text_in(answer, path)]


def _is_spared(declared: AnswerErrors, error: Any) -> bool:
    place = value_in(error, declared.place) if isinstance(error, dict) else None
    return isinstance(place, list) and any(each in declared.spared for each in place)


def _follows(pages: PageNumbers, size: int, place: Place, answer: Any, count: int) -> bool:
    if not pages.total:
        return count >= size
    total = value_in(answer, pages.total)
    if isinstance(total, bool) or not isinstance(total, int):
        raise AnswerFault(f"does not say at {pages.total} how many items there are")
    return count > 0 and place.page * size < total


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _next_link(header: str) -> str | None:
    return next((found[1] for found in _LINK.finditer(header) if _NEXT.search(found[2])), None)


def _same_host(asked: str, link: str) -> str:
    """Return the whole URL of a next page; a query alone replaces the parameters of that name in the one before."""
    before = urlsplit(asked)
    if link.startswith("?"):
        merged = {**dict(parse_qsl(before.query, keep_blank_values=True)), **dict(parse_qsl(link[1:]))}
        return before._replace(query=urlencode(merged)).geturl()
    try:
        following = urljoin(asked, link)
        after = urlsplit(following)
    except ValueError:
        raise AnswerFault(f"names a next page that is no address: {link[:200]}") from None
    if (after.scheme, after.netloc) != (before.scheme, before.netloc):
        raise AnswerFault(f"leads to another host for the next page: {after.netloc[:200]}")
    return following


def _filled(template: str, values: Mapping[str, str], written: Any) -> str:
    return PLACE.sub(lambda found: str(written(values[found[1]])), template)


def _body(call: Call, values: Mapping[str, str]) -> str | None:
    if not call.body:
        return None
    if call.encoding == "form":
        return _filled(call.body, values, lambda text: quote(text, safe=""))
    return _filled_body(call.body, values)


def _filled_body(template: str, values: Mapping[str, str]) -> str:
    """Return a JSON body; a name in braces that has no value is the body's own, such as a selection in GraphQL."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        return values[found[1]] if found[1] == "cursor_or_null" else json.dumps(values[found[1]])[1:-1]

    return PLACE.sub(value, template)
