"""Builds the zip of the PrestaShop module for one connection: its files, and settings with its secret."""

from __future__ import annotations

import io
from importlib.resources import files
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hub.api import PackageContext

FOLDER = "affiliatehub"
STAMP = (2026, 1, 1, 0, 0, 0)
"""Every file's time in the zip, so that the same connection gives the same bytes."""


def package(context: PackageContext) -> tuple[str, bytes]:
    """Give the file name and the bytes of the zip; it holds the secret, so it is as private as that."""
    parts = {file.name: file.read_bytes() for file in (files("hub_prestashop") / FOLDER).iterdir() if file.is_file()}
    parts["settings.php"] = _settings(context)
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name in sorted(parts):
            entry = ZipInfo(f"{FOLDER}/{name}", STAMP)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, parts[name])
    return f"{FOLDER}.zip", made.getvalue()


def _settings(context: PackageContext) -> bytes:
    values = {"url": context.url, "secret": context.secret, "capture_url": context.capture_url}
    lines = [f"    '{name}' => '{_quoted(value)}'," for name, value in values.items()]
    head = ["<?php", "", "if (!defined('_PS_VERSION_')) {", "    exit;", "}", "", "return ["]
    return "\n".join([*head, *lines, "];", ""]).encode()


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")
