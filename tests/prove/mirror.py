"""A mirror of an account in a process of its own, which is killed and started again as it comes.

It follows the change feed into an SQLite file: the records of a part and its cursor in one transaction, nothing else.
Arguments: the file, the seconds between two readings, the token, and the addresses of the nodes that it asks in turn.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from typing import Any, Final

TABLES: Final = """
    CREATE TABLE IF NOT EXISTS records (type TEXT, id TEXT, record TEXT, PRIMARY KEY (type, id));
    CREATE TABLE IF NOT EXISTS place (name TEXT PRIMARY KEY, cursor TEXT);
"""
ANSWER_SECONDS: Final = 60.0
RETRY_SECONDS: Final = 0.1


def follow(file: str, pause: float, token: str, nodes: list[str]) -> None:
    """Read for ever, from where the file ends."""
    kept = sqlite3.connect(file)
    kept.executescript(TABLES)
    for node in itertools.cycle(nodes):
        cursor = kept.execute("SELECT cursor FROM place").fetchone()
        after = "" if cursor is None else f"&after={cursor[0]}"
        request = urllib.request.Request(
            f"{node}/api/v1/changes?limit=200{after}", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                part = json.load(answer)
        except (OSError, ValueError, urllib.error.URLError):
            time.sleep(RETRY_SECONDS)  # a node that is being killed: the next one
            continue
        take(kept, part)
        if not part["more"]:
            time.sleep(pause)


def take(kept: sqlite3.Connection, part: dict[str, Any]) -> None:
    """Apply a part of the feed, and keep its cursor, at once or not at all."""
    with kept:
        for each in part["data"]:
            key = each["type"], each["id"]
            if each["deleted"]:
                kept.execute("DELETE FROM records WHERE type = ? AND id = ?", key)
            else:
                kept.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (*key, json.dumps(each["record"])))
        kept.execute("INSERT OR REPLACE INTO place VALUES ('last', ?)", (part["cursor"],))


if __name__ == "__main__":
    follow(sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:])
