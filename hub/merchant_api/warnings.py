"""What was ignored in a body that was accepted is said in the answer: a misspelt name costs somebody a commission."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import orjson

from hub.http.response import Reply
from hub.merchant_api.endpoint import Endpoint, JsonObject
from hub.merchant_api.v1.webhook_fields import FIELDS
from hub.validation.input_reader import fields_of


def with_warnings(reply: Reply, endpoint: Endpoint, ignored: Sequence[str]) -> Reply:
    """Return a 202 that names each ignored field behind its other members, with the one that it looks like.

    Only answers that are described with `warnings` get them.
    """
    described = "warnings" in endpoint.response.__annotations__
    if reply.status != 202 or not described or not isinstance(reply.body, bytes) or not isinstance(endpoint.body, type):
        return reply
    if endpoint.body is JsonObject:
        known: Iterable[str] = FIELDS.get(endpoint.path.rpartition("/")[2], ())
    else:
        known = (field.wire for field in fields_of(endpoint.body))
    told = orjson.dumps({"warnings": warnings_of(ignored, known)})
    return reply._replace(body=reply.body[:-1] + b"," + told[1:])


def warnings_of(ignored: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return a sentence for each name that nobody knows: "`click_id` is unknown and looks like `clickId`: ..."."""
    names = {_plain(name): name for name in known}
    sentences = []
    for name in ignored:
        near = get_close_matches(_plain(name), names, 1)
        looks = f" and looks like `{names[near[0]]}`" if near else ""
        sentences.append(f"`{name}` is unknown{looks}: it was ignored")
    return sentences


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
