"""The settings of what is sent to the tools by which an operator watches."""

from __future__ import annotations

from urllib.parse import urlsplit

from attrs import frozen

from hub.config import readers as kinds
from hub.config.sections import setting


def tracker(raw: object) -> str:
    """Read the DSN of an error tracker; empty for none."""
    value = kinds.web_address(raw)
    if value and (not urlsplit(value).username or not urlsplit(value).path.rpartition("/")[2]):
        raise ValueError('should be empty, or a DSN such as "https://KEY@errors.example/1".')
    return value


@frozen
class TelemetrySettings:
    """Where traces, metrics and faults are sent; the metrics can be fetched from /metrics in any case."""

    traces: str = setting(
        "",
        kinds.web_address,
        "Address of an OpenTelemetry collector (OTLP/HTTP), like http://127.0.0.1:4318; empty: none.",
    )
    share: int = setting(100, kinds.whole_number(1, 100), "Percentage of orders whose traces are sent.")
    metrics: str = setting(
        "",
        kinds.web_address,
        "Address of an OpenTelemetry collector that metrics are pushed to; empty: only served at /metrics.",
    )
    errors: str = setting(
        "",
        tracker,
        "DSN of an error tracker that accepts Sentry envelopes, like https://KEY@host/1; empty: none.",
        secret=True,
    )
