"""A form whose session ended, or began anew, or whose proof is too old, while somebody wrote: what was typed is kept.

Nothing is stored: the page that says so has the fields, and its button sends them once more to where they were going,
where they are checked like any form. Through the proof of who one is they travel in the proof's own form. Only a
browser that says that the form comes from this site gets its fields back, so no other site can lay a form of its own
before somebody; and what is secret is typed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import quote, urlencode, urlsplit

from aiohttp import web
from attrs import frozen

from hub.pages.visit import Page, Visit, local_address

FORM: Final = "application/x-www-form-urlencoded"
SECRET: Final = ("password", "secret", "code", "credential", "passkey")
"""What the names of fields begin with that no page repeats."""
CARRIED: Final = "kept."
"""What the names of fields begin with that another form carries along."""
GOES_TO: Final = "kept-for"
LEFT_OUT: Final = "kept-without"


Sender = Literal["this", "another", "unsaid"]
"""Which site has the page that a request comes from."""


@frozen
class KeptForm:
    """A form that is kept: the address that it goes to, and its fields; `left_out` if a secret is not among them."""

    address: str
    fields: Mapping[str, str]
    left_out: bool

    @property
    def carried(self) -> dict[str, str]:
        """The fields by which another form carries it along; `carried_in` reads them."""
        without = {LEFT_OUT: "1"} if self.left_out else {}
        return {GOES_TO: self.address, **without, **{CARRIED + name: text for name, text in self.fields.items()}}


def sender_of(request: web.BaseRequest) -> Sender:
    """Return which site's page a request comes from, as its browser says.

    It says so by `Sec-Fetch-Site`, or over plain http, where browsers leave that out, by `Origin` alone.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in (None, "same-origin", "none"):
        return "another"
    if origin is not None and urlsplit(origin).netloc != request.headers.get("Host"):
        return "another"
    return "this" if site == "same-origin" or (site is None and origin is not None) else "unsaid"


def may_keep(request: web.BaseRequest, page: Page) -> bool:
    """Return whether a request is certainly a form of this site, and of a page that needs a session."""
    of_people = page.method == "POST" and not page.public and request.content_type == FORM
    return of_people and sender_of(request) == "this"


def kept_form(visit: Visit, fields: Mapping[str, str]) -> KeptForm:
    """Return a form that was sent to the address of a visit, without the token and what is secret."""
    kept = {name: text for name, text in fields.items() if name != "csrf" and not name.startswith(SECRET)}
    left_out = any(name.startswith(SECRET) and text for name, text in fields.items())
    query = f"?{urlencode(visit.query)}" if visit.query else ""
    return KeptForm(quote(visit.address) + query, kept, left_out)


def carried_in(form: Mapping[str, str]) -> KeptForm | None:
    """Return the form that another one carries along; None if it carries none."""
    if GOES_TO not in form:
        return None
    fields = {name.removeprefix(CARRIED): text for name, text in form.items() if name.startswith(CARRIED)}
    return KeptForm(local_address(form[GOES_TO]), fields, LEFT_OUT in form)


def keep(visit: Visit, fields: Mapping[str, str]) -> web.Response:
    """Return the page that keeps the fields of a form: 401 without a session, 403 for a form of an older one."""
    status = 401 if visit.session is None else 403
    return visit.page("kept_form.html", status, kept=kept_form(visit, fields), proved=False)


def send_on(visit: Visit, kept: KeptForm) -> web.Response:
    """Return the page that sends a form on, now that its person has proved who they are."""
    return visit.page("kept_form.html", kept=kept, proved=True)
