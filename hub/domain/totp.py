"""One-time codes of authenticator apps (RFC 6238): six digits, SHA-1, steps of 30 seconds."""

from __future__ import annotations

import base64
import hmac
from typing import Final
from urllib.parse import quote, urlencode

STEP_MS: Final = 30_000
DIGITS: Final = 6
SLACK: Final = 1
"""Steps before and after the present one whose codes count, for clocks that differ."""


def totp_code(secret: bytes, step: int) -> str:
    """Return the code of a step (RFC 4226, section 5.3)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def matching_step(secret: bytes, code: str, now: int, last: int | None) -> int | None:
    """Return the step whose code this is, None if it is none; `now` is in ms UTC, `last` the step used last.

    A step that is not later than `last` counts no more, so each code works once (RFC 6238, section 5.2).
    """
    typed = "".join(code.split())
    present, found = now // STEP_MS, None
    for step in range(present - SLACK, present + SLACK + 1):
        fits = hmac.compare_digest(totp_code(secret, step).encode(), typed.encode("utf-8", "replace"))
        if fits and (last is None or step > last):
            found = step
    return found


def secret_text(secret: bytes) -> str:
    """Return a secret as apps take it: base32 without padding."""
    return base64.b32encode(secret).decode().rstrip("=")


def provisioning_uri(secret: bytes, account: str, issuer: str) -> str:
    """Return the URI that a QR code shows to an app (the key URI format of the authenticator apps)."""
    label = quote(f"{issuer}:{account}", safe="")
    return f"otpauth://totp/{label}?{urlencode({'secret': secret_text(secret), 'issuer': issuer})}"
