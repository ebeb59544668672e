"""The WordPress plugin as a zip: the same connection gives the same bytes, and no value of it can become code."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from hub.api import PackageContext

SLUG = "affiliate-hub"
EPOCH = datetime(1980, 1, 1)  # noqa: DTZ001 -- a zip's times have no zone
"""The earliest moment that a zip can hold."""
DAYS = 14_000
"""Files are at most this much younger, so that none seems to be of the future."""
VERSION_LINE = b" * Version: 0.2.0"
_PLAIN_FILE = 0o100644 << 16


def package(context: PackageContext) -> tuple[str, bytes]:
    """Give the zip's file name and bytes, with the connection's URL and secret in its config.php."""
    contents = dict(_sources(files("hub_woocommerce") / "wordpress" / SLUG, SLUG))
    contents[f"{SLUG}/config.php"] = config(context).encode()
    main = f"{SLUG}/{SLUG}.php"
    fingerprint = _fingerprint(contents)
    contents[main] = contents[main].replace(VERSION_LINE, VERSION_LINE + b"." + str(fingerprint).encode())
    written_at = _time_of(fingerprint)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, written_at)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = _PLAIN_FILE
            archive.writestr(entry, contents[name])
    return f"{SLUG}.zip", made.getvalue()


def _fingerprint(contents: Mapping[str, bytes]) -> int:
    """Return a number that differs with the package's content, so that WordPress shows which one is installed."""
    digest = sha256(b"".join(name.encode() + b"\0" + contents[name] for name in sorted(contents))).digest()
    return int.from_bytes(digest[:4], "big")


def _time_of(fingerprint: int) -> tuple[int, int, int, int, int, int]:
    """Return the files' time, which differs with the package's content: PHP's opcode cache compares nothing else."""
    # A zip counts in steps of two seconds.
    at = EPOCH + timedelta(seconds=2 * (fingerprint % (DAYS * 86_400 // 2)))
    return at.year, at.month, at.day, at.hour, at.minute, at.second


def config(context: PackageContext) -> str:
    """Give config.php, which returns the connection."""
    return (
        "<?php\n"
        "defined( 'ABSPATH' ) || exit;\n\n"
        "return array(\n"
        f"\t'url'    => {php_text(context.url)},\n"
        f"\t'secret' => {php_text(context.secret)},\n"
        ");\n"
    )


def php_text(text: str) -> str:
    """Give a text as PHP's literal in single quotes, where only the backslash and the quote mean anything."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _sources(entry, name)
        elif entry.name.endswith((".php", ".js", ".txt")):
            yield name, entry.read_bytes()
