"""Answers as they go over the wire."""

from __future__ import annotations

import pytest

from hub.http.errors import error_body
from hub.intake.submission import Accepted
from hub.merchant_api.responses import AcceptedEvent, ImportFault, ImportSummary, WebhookAccepted
from hub.records.wire import encode


class TestAnswers:
    def test_wire_names_and_absent_members(self) -> None:
        summary = ImportSummary(1, 0, 0, 1, [ImportFault(0, None, "why")])
        assert encode(summary) == (
            b'{"received":1,"created":0,"updated":0,"failed":1,"errors":[{"index":0,"externalProductId":null,"message":"why"}]}'
        )
        assert (
            encode(AcceptedEvent("evt_1", "RECEIVED", False))
            == b'{"eventId":"evt_1","status":"RECEIVED","duplicate":false}'
        )

    @pytest.mark.parametrize("duplicate", [False, True])
    def test_what_intake_stores_is_what_is_described(self, duplicate: bool) -> None:
        """Intake writes its answers before it commits them; their shape is described at the edge."""
        status = "DUPLICATE" if duplicate else "RECEIVED"
        written = Accepted("evt_1", status, duplicate, "cnv_1", webhook=False).body
        assert written == encode(AcceptedEvent("evt_1", status, duplicate, "cnv_1" if duplicate else None))  # type: ignore[arg-type]  # any text
        status = "DUPLICATE" if duplicate else "QUEUED"
        written = Accepted("evt_1", status, duplicate, None, webhook=True).body
        assert written == encode(WebhookAccepted("evt_1", status, duplicate))  # type: ignore[arg-type]  # any text

    def test_errors_name_the_reason_phrase(self) -> None:
        assert error_body(400, ["a", "b"]) == b'{"statusCode":400,"message":["a","b"],"error":"Bad Request"}'
