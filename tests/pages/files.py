"""Which addresses of pages are files, which a browser keeps instead of showing."""

from __future__ import annotations

import re

FILES = re.compile(
    r"\.(css|csv|svg|png|pdf|zip|json|txt)$|^/branding/logo$|/results$|/verdicts$|/csv-template$|/files/\{file\}$"
)
