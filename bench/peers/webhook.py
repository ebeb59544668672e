"""Debian's `webhook`: checks an HMAC over the body and starts a program, here one that stores the order durably."""

from __future__ import annotations

import hmac
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from bench import traffic
from bench.faults import Mismatch, Missing
from bench.servers import Server, free_port, server

PROGRAM = """#!/usr/bin/python3 -ISE
import json, sqlite3, sys
body = sys.argv[1]
order = json.loads(body)["externalOrderId"]
with sqlite3.connect({file!r}, timeout=30) as database:
    database.execute("PRAGMA synchronous = FULL")
    if database.execute("INSERT OR IGNORE INTO events (order_id) VALUES (?)", (order,)).rowcount:
        database.execute("INSERT INTO payloads (order_id, body) VALUES (?, ?)", (order, body))
"""
TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE events (order_id TEXT PRIMARY KEY);
CREATE TABLE payloads (order_id TEXT PRIMARY KEY, body TEXT NOT NULL);
"""


@contextmanager
def webhook_server(folder: Path, secret: str) -> Iterator[tuple[Server, Path]]:
    """Run the server; yield it and the database that its program stores in."""
    if shutil.which("webhook") is None:
        raise Missing("Debian's webhook is not installed: apt-get install webhook")
    place = Path(tempfile.mkdtemp(prefix="webhook-", dir=folder))
    try:
        stored = place / "orders.db"
        with closing(sqlite3.connect(stored)) as database:
            database.executescript(TABLES)
        port = free_port()
        command = ["webhook", "-ip", "127.0.0.1", "-port", str(port), "-hooks", str(_hooks(place, stored, secret))]
        with server(command, port) as started:
            yield started, stored
    finally:
        shutil.rmtree(place, ignore_errors=True)  # a program that outlives the server may still write


def requests(secret: str, clicks: Sequence[str], how_many: int) -> Iterator[bytes]:
    """Yield orders signed as `webhook` can check them: over the body alone."""
    for body in traffic.orders("W", how_many, clicks):
        signature = hmac.digest(secret.encode(), body, "sha256").hex()
        head = f"POST /hooks/conversions HTTP/1.1\r\nHost: bench\r\nX-Signature: sha256={signature}\r\n"
        yield f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def require_stored(stored: Path, statuses: Mapping[int, int]) -> None:
    """Raise `Mismatch` if fewer orders are stored than were answered with success."""
    with closing(sqlite3.connect(stored)) as database:
        ((found,),) = database.execute("SELECT COUNT(*) FROM payloads").fetchall()
    if found < statuses.get(200, 0):
        raise Mismatch(f"webhook stored {found} orders of {statuses.get(200, 0)}.")


def _hooks(place: Path, stored: Path, secret: str) -> Path:
    program = place / "store"
    program.write_text(PROGRAM.format(file=str(stored)))
    program.chmod(0o755)
    hook = {
        "id": "conversions",
        "execute-command": str(program),
        "include-command-output-in-response": True,
        "pass-arguments-to-command": [{"source": "entire-payload"}],
        "trigger-rule": {
            "match": {
                "type": "payload-hmac-sha256",
                "secret": secret,
                "parameter": {"source": "header", "name": "X-Signature"},
            }
        },
        "trigger-rule-mismatch-http-response-code": 401,
    }
    hooks = place / "hooks.json"
    hooks.write_text(json.dumps([hook]))
    return hooks
