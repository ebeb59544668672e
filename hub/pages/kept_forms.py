"""A form whose session ended, or began anew, while somebody wrote: what was typed is kept in the page that says so.

Nothing is stored: the page has the fields, and its button sends them once more to where they were going, where they
are checked like any form. Only a browser that says that the form comes from this site gets its fields back, so no other
site can lay a form of its own before somebody; and what is secret is typed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.pages.visit import Page, Visit

FORM: Final = "application/x-www-form-urlencoded"
SECRET: Final = ("password", "secret", "code", "credential")
"""What the names of fields begin with that no page repeats."""


def may_keep(request: web.BaseRequest, page: Page) -> bool:
    """Return whether a request is a form of this site, of a page that needs a session."""
    own = request.headers.get("Sec-Fetch-Site") == "same-origin"
    return own and page.method == "POST" and not page.public and request.content_type == FORM


def keep(visit: Visit, fields: Mapping[str, str]) -> web.Response:
    """Return the page that keeps the fields of a form: 401 without a session, 403 for a form of an older one."""
    kept = {name: text for name, text in fields.items() if name != "csrf" and not name.startswith(SECRET)}
    left_out = any(name.startswith(SECRET) and text for name, text in fields.items())
    status = 401 if visit.session is None else 403
    return visit.page("kept_form.html", status, action=visit.address_with_query, fields=kept, left_out=left_out)
