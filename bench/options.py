"""How much is measured: read from the environment, so that `make bench` can pass it on."""

from __future__ import annotations

import os

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
"""How often every side runs, in turn with the others."""

SECONDS = int(os.environ.get("BENCH_SECONDS", "5"))
"""How long one run is under load."""

MILLIONS = float(os.environ.get("BENCH_MILLIONS", "10"))
"""How many million conversions `history` stores before it measures."""

PAGES_MILLIONS = float(os.environ.get("BENCH_PAGES_MILLIONS", "1"))
"""How many million conversions `pages-html` stores before it measures."""

AFFILIATES = int(os.environ.get("BENCH_AFFILIATES", "100000"))
"""How many affiliates `pages-people` stores before it measures."""

REQUESTS = int(os.environ.get("BENCH_REQUESTS", "5000000"))
"""How many requests `memory` sends."""

CSV_ROWS = int(os.environ.get("BENCH_CSV_ROWS", "1000000"))
"""How many orders the file of `csv` has."""

TECHNIQUES = tuple(os.environ.get("BENCH_TECHNIQUES", "").split())
"""The names of the techniques that `techniques` leaves out; none for all."""

SYNC_MS = float(os.environ.get("BENCH_SYNC_MS", "0"))
"""How many milliseconds each sync of the hub's SQLite takes longer than this disk needs, as on a slower one."""

CONNECTIONS = 64
THREADS = 2
"""Of the load generator: how many connections and threads it uses."""
