"""Ids that callers put into a path."""

from __future__ import annotations

from hub.web.endpoint import Call
from hub.web.errors import not_found

LONGEST = 255


def reference(call: Call, name: str, what: str) -> str:
    """The id in the path; one that no store can hold names nothing, so it is a 404 like any other unknown id."""
    text = call.path[name]
    if len(text) > LONGEST or not text.isprintable():
        raise not_found(what)
    return text
