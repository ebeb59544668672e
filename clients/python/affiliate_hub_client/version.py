"""The version of this client, which it names in `User-Agent`."""

from __future__ import annotations

__version__ = "0.1.0"
