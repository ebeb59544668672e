"""`python -m hub`: the same as the installed command."""

from __future__ import annotations

from hub.cli import main

main()
