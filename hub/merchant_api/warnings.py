"""What was ignored of a request is said in its answer: a misspelt name costs somebody a commission.

A list says so of parameters: one that was ignored shows what nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import orjson

from hub.http.response import Reply
from hub.merchant_api.endpoint import Endpoint, JsonObject
from hub.merchant_api.v1.webhook_fields import FIELDS
from hub.validation.container_constraints import Records
from hub.validation.input_reader import fields_of


def with_warnings(reply: Reply, endpoint: Endpoint, ignored: Sequence[str]) -> Reply:
    """Return an answer that names each ignored field or parameter behind its other members.

    It says which one each looks like. Only answers that are described with `warnings` get them: 202s and lists.
    """
    described = "warnings" in endpoint.response.__annotations__
    if reply.status not in (200, 202) or not described or not isinstance(reply.body, bytes):
        return reply
    told = orjson.dumps({"warnings": warnings_of(ignored, _known(endpoint))})
    return reply._replace(body=reply.body[:-1] + b"," + told[1:])


def _known(endpoint: Endpoint) -> Iterable[str]:
    """Return the names that an endpoint takes: of its body if it has one, else of its query."""
    if endpoint.body is JsonObject:
        return FIELDS.get(endpoint.path.rpartition("/")[2], ())
    taken = endpoint.body or endpoint.query
    if taken is None:
        return ()
    items = (each.constraint.record for each in fields_of(taken) if isinstance(each.constraint, Records))
    return [each.wire for each in fields_of(next(items, taken))]


def warnings_of(ignored: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return a sentence for each name that nobody knows: "`click_id` is unknown and looks like `clickId`: ..."."""
    names = {_plain(name): name for name in known}
    sentences = []
    for name in ignored:
        near = get_close_matches(_plain(name.rpartition(".")[2]), names, 1)
        looks = f" and looks like `{names[near[0]]}`" if near else ""
        sentences.append(f"`{name}` is unknown{looks}: it was ignored")
    return sentences


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
