"""The shapes that the acts hand back: plain documents, ready for JSON or a page."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]
"""A JSON object in camelCase: money is decimal text, times are RFC 3339 text in UTC."""
