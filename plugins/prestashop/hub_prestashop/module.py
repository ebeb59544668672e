"""Builds the zip of the PrestaShop module for one connection: its files, and settings with its secret."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.abc import Traversable
from importlib.resources import files
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hub.api import PackageContext

FOLDER = "affiliatehub"
STAMP = (2026, 1, 1, 0, 0, 0)
"""Every file's time in the zip, so that the same connection gives the same bytes."""


def package(context: PackageContext) -> tuple[str, bytes]:
    """Give the file name and the bytes of the zip; it holds the secret, so it is as private as that."""
    parts = dict(_files(files("hub_prestashop") / FOLDER, ""))
    parts["settings.php"] = _settings(context)
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name in sorted(parts):
            entry = ZipInfo(f"{FOLDER}/{name}", STAMP)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, parts[name])
    return f"{FOLDER}.zip", made.getvalue()


def _files(folder: Traversable, under: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder and those in it, by their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{under}{each.name}/")
        else:
            yield f"{under}{each.name}", each.read_bytes()


def _settings(context: PackageContext) -> bytes:
    values = {"url": context.url, "secret": context.secret, "capture_url": context.capture_url}
    lines = [f"    '{name}' => '{_quoted(value)}'," for name, value in values.items()]
    head = ["<?php", "", "if (!defined('_PS_VERSION_')) {", "    exit;", "}", "", "return ["]
    return "\n".join([*head, *lines, "];", ""]).encode()


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")
