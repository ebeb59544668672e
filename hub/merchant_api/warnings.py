"""What was ignored of a request is said in its answer, if the answer has a place for it.

A list says so of parameters: one that was ignored shows what nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from hub.http.response import Reply
from hub.merchant_api.endpoint import CsvFile, Endpoint, JsonObject
from hub.merchant_api.v1.webhook_fields import FIELDS, LINE
from hub.validation.container_constraints import Records
from hub.validation.input_reader import fields_of
from hub.validation.unknown_names import warnings_of

SUCCESSES: Final = (200, 201, 202)


def with_warnings(reply: Reply, endpoint: Endpoint, ignored: Sequence[str]) -> Reply:
    """Return an answer that names each ignored field or parameter behind its other members.

    It says which one each looks like. An answer that is not described with `warnings` stays as it is.
    """
    if reply.status not in SUCCESSES or not endpoint.warns or not isinstance(reply.body, bytes):
        return reply
    told = orjson.dumps({"warnings": warnings_of(ignored, _known(endpoint))})
    return reply._replace(body=reply.body[:-1] + b"," + told[1:])


def _known(endpoint: Endpoint) -> Iterable[str]:
    """Return the names that an endpoint takes: of its JSON body if it has one, else of its query."""
    if endpoint.body is JsonObject:
        fields = FIELDS.get(endpoint.path.rpartition("/")[2], frozenset())
        return fields | LINE if "lines" in fields else fields
    taken = endpoint.query if endpoint.body in (None, CsvFile) else endpoint.body
    if taken is None:
        return ()
    items = (each.constraint.record for each in fields_of(taken) if isinstance(each.constraint, Records))
    return [each.wire for each in fields_of(next(items, taken))]
