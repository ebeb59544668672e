"""Masks for secrets that were sent in the wrong place: a log that many may read keeps them for weeks."""

from __future__ import annotations

import re

MASK = "[masked]"
SHORTEST = 32
"""Nothing shorter is taken for a secret by its look alone."""
# What follows the word is bounded, else "tokentokentoken..." is read again from each of its words to its end.
_NAMED = re.compile(
    r"""((?:secret|passw(?:or)?d|token|authorization|api_?key|private_?key)[A-Za-z_]{0,60}["']?\s*[:=]\s*["']?)[^"'\s&,}\]]+""",
    re.IGNORECASE,
)
_LONG = re.compile(rf"[A-Za-z0-9_+/=-]{{{SHORTEST},}}")
_PLAIN_PATH = re.compile(r"(?:/(?:[a-z]{2,4}_[0-9a-f]{32}|[^/:=]{0,31}))*").fullmatch
"""Of a path of which nothing is masked: each segment is shorter than a secret, or an id of the hub's."""
_HARMLESS = re.compile(
    r"ak_(test|live)_[0-9A-Za-z]{8,64}"  # the id of an API key
    r"|[a-z]{2,4}_[0-9a-f]{32}"  # an id of the hub's
    r"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",  # a UUID
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """Return the text with the values of fields named like a secret masked, and all but the beginning of long tokens.

    The hub's own ids and UUIDs stay. A short secret in a field with another name is not recognised.
    """
    if ":" in text or "=" in text:  # most paths have neither, and the search is slow
        text = _NAMED.sub(rf"\1{MASK}", text)
    return text if len(text) < SHORTEST else _LONG.sub(_shortened, text)


def redact_path(path: str) -> str:
    """Return a path as `redact` does; one look tells that of most."""
    return redact(path) if len(path) < SHORTEST or not _PLAIN_PATH(path) else path


def _shortened(match: re.Match[str]) -> str:
    token = match[0]
    parts = re.split("[/=]", token.strip("/="))
    if all(len(part) < SHORTEST or _HARMLESS.fullmatch(part) for part in parts):
        return token  # a path, or an id
    return token[:4] + MASK
