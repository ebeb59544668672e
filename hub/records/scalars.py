"""Texts of one form, which are described once: the annotation names their component in the OpenAPI documents."""

from __future__ import annotations

from typing import Annotated

Money = Annotated[str, "Money"]
"""An amount in major units as text."""
MoneySum = Annotated[str, "MoneySum"]
Currency = Annotated[str, "Currency"]
SkipReason = Annotated[str, "SkipReason"]
SkipExplanation = Annotated[str, "SkipExplanation"]
WebhookKind = Annotated[str, "WebhookKind"]
