"""The affiliate hub: takes orders and order news from shops, decides which affiliate earned what, and can say why."""

from __future__ import annotations

__version__ = "1.0.0"

__commit__ = ""
"""The commit that an installed release was made of, which `make release` writes; in a checkout git knows it."""
