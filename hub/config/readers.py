"""Readers of raw values, one for each kind of setting; a refusal is a ValueError that completes "`server.port` ..."."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from hub.domain.countries import is_country
from hub.domain.durations import parse_duration
from hub.domain.messages.webhook_signing import secret_key
from hub.domain.money import parse_percentage
from hub.domain.networks import unmapped

T = TypeVar("T")
Kind = Callable[[object], T]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MASTER_KEY_BYTES = 32

_SWITCH_WORDS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)
_LONGEST_ECHO = 60


def text(raw: object) -> str:
    """Read any text without control characters."""
    if not isinstance(raw, str) or not _printable(raw):
        raise refusal("text", raw)
    return raw.strip()


def either(raw: object) -> str:
    """Read text, or a number as its text: a file says 25 as well as "25"."""
    return raw.strip() if isinstance(raw, str) else str(raw)


def text_for(parse: Callable[[str], object], wanted: str, given: Kind[str] = text) -> Kind[str]:
    """Make the reader of texts that `parse` takes, which raises ValueError for others; the value is the text."""

    def read(raw: object) -> str:
        value = given(raw)
        try:
            parse(value)
        except ValueError:
            raise refusal(wanted, raw) from None
        return value

    return read


def host(raw: object) -> str:
    """Read a host name or address to listen on."""
    value = text(raw)
    if not re.fullmatch(r"[A-Za-z0-9._:-]+", value):
        raise refusal("a host name or an IP address, without a port or brackets", raw)
    return value


def listening_address(raw: object) -> str:
    """Read an address with a port, such as "127.0.0.1:9090" or "[::1]:9090"; empty for none."""
    value = text(raw)
    if value and (not re.fullmatch(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}", value) or _port(value) > 65_535):
        raise refusal('empty, or an address with a port, such as "127.0.0.1:9090"', raw)
    return value


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


def whole_number(low: int, high: int) -> Kind[int]:
    """Make the reader of whole numbers from `low` to `high`, written as digits."""

    def read(raw: object) -> int:
        digits = raw.strip() if isinstance(raw, str) else raw
        if isinstance(digits, str) and re.fullmatch(r"[0-9]{1,18}", digits):
            digits = int(digits)
        if isinstance(digits, bool) or not isinstance(digits, int) or not low <= digits <= high:
            raise refusal(f"a whole number from {low} to {high}", raw)
        return digits

    return read


def hours(raw: object) -> float:
    """Read a number of hours above 0, at most a year; fractions are allowed."""
    value = raw.strip() if isinstance(raw, str) else str(raw)
    if isinstance(raw, bool) or not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,9})?", value) or not 0 < float(value) <= 8_760:
        raise refusal("a number of hours above 0 and up to 8760", raw)
    return float(value)


def switch(raw: object) -> bool:
    """Read true or false; the environment may also say yes, no, on, off, 1 or 0."""
    value = _SWITCH_WORDS.get(raw.strip().lower()) if isinstance(raw, str) else raw
    if not isinstance(value, bool):
        raise refusal("true or false", raw)
    return value


def choice(*words: str) -> Kind[str]:
    """Make the reader of one word out of `words`, in any case."""

    def read(raw: object) -> str:
        value = raw.strip().lower() if isinstance(raw, str) else ""
        if value not in words:
            raise refusal(f"one of {', '.join(words)}", raw)
        return value

    return read


def duration(lowest_ms: int) -> Kind[int]:
    """Make the reader of durations such as "500ms", "2s", "15m", "12h" or "14d"; the value is in milliseconds."""

    def read(raw: object) -> int:
        try:
            value = parse_duration(raw.strip() if isinstance(raw, str) else "")
        except ValueError as fault:
            raise ValueError(f"{fault}, not {_shown(raw)}") from None
        if value < lowest_ms:
            raise refusal("a duration above zero", raw)
        return value

    return read


def country(raw: object) -> str:
    """Read a country of ISO 3166, two letters in capitals, or nothing."""
    value = text(raw).upper()
    if value and not is_country(value):
        raise refusal("a country's two letters, such as DE (ISO 3166), or nothing", raw)
    return value


percentage = text_for(parse_percentage, 'a percentage from 0 to 100 with at most 4 decimals, such as "5"', either)
"""Reads a percentage, as a commission rule has it."""


def networks(raw: object) -> tuple[Network, ...]:
    """Read addresses and CIDR ranges: an array, or text with commas between them."""
    words = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise refusal("a list of addresses and CIDR ranges", raw)
    return tuple(_network(word.strip()) for word in words if word.strip())


def names(raw: object) -> tuple[str, ...]:
    """Read names: an array, or text with commas between them."""
    words = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise refusal("a list of names", raw)
    return tuple(word.strip() for word in words if word.strip())


def _network(word: str) -> Network:
    try:
        return unmapped(ipaddress.ip_network(word))
    except ValueError:
        pass
    try:
        mended = ipaddress.ip_network(word, strict=False)
    except ValueError:
        raise refusal('a list of addresses and CIDR ranges, such as "10.0.0.0/8"', word) from None
    raise ValueError(f"has the address {word!r} inside a range; the range itself is {str(mended)!r}")


def public_url(raw: object) -> str:
    """Read the root of the hub's public URLs, without a final slash; empty means: from host and port."""
    value = text(raw).rstrip("/")
    if value and not _web_root(value):
        raise refusal('empty, or an http or https address without a query, such as "https://hub.shop.example"', raw)
    return value


def web_root(raw: object) -> str:
    """Read the root of somebody's API, without a final slash; empty for none."""
    value = text(raw).rstrip("/")
    if value and not _web_root(value):
        raise refusal('empty, or an http or https address without a query, such as "https://api.example/v1"', raw)
    return value


def _web_root(value: str) -> bool:
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        return False
    odd = parts.query or parts.fragment or parts.username or re.search(r"[\s\\]", value)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not odd


def database_url(raw: object) -> str:
    """Read the database's URL: `sqlite:///relative`, `sqlite:////absolute` or `postgresql://...`; never echoes it."""
    value = raw.strip() if isinstance(raw, str) and _printable(raw) else ""
    if value.startswith("sqlite:///"):
        path = value.removeprefix("sqlite:///")
        if path.strip("/") and not path.endswith("/") and not re.search(r"[?#]|^:memory:$", path):
            return value
        raise ValueError('must name a file after "sqlite:///", such as "sqlite:///var/hub.db", without a query')
    if value.startswith("postgresql://") and len(value) > len("postgresql://") and _splits(value):
        return value
    # The refused text may hold a password, so this sentence does not quote it.
    raise ValueError('must be "sqlite:///relative/path", "sqlite:////absolute/path" or "postgresql://user@host/name"')


def _splits(url: str) -> bool:
    try:
        _ = urlsplit(url).port
    except ValueError:
        return False
    return True


def master_keys(raw: object) -> tuple[bytes, ...]:
    """Read master keys, oldest first, commas between; each 64 hex digits or base64 of 32 bytes; never echoes them."""
    if isinstance(raw, str) and not raw.strip():
        return ()
    keys = [_master_key(word) for word in re.split(r"[,\s]+", raw.strip())] if isinstance(raw, str) else [None]
    if None in keys:
        raise ValueError('must be 64 hex digits or base64 of 32 bytes, or several such keys as "old,new"')
    return tuple(key for key in keys if key is not None)


def _master_key(word: str) -> bytes | None:
    if re.fullmatch(r"[0-9A-Fa-f]{64}", word):
        return bytes.fromhex(word)
    try:
        key = base64.b64decode(word.rstrip("=").replace("-", "+").replace("_", "/") + "=", validate=True)
    except binascii.Error:
        return None
    return key if len(key) == MASTER_KEY_BYTES else None


def _printable(value: str) -> bool:
    return not re.search(r"[\x00-\x1f\x7f]", value)


def refusal(wanted: str, raw: object) -> ValueError:
    """Return that a value is not what is wanted."""
    return ValueError(f"must be {wanted}, not {_shown(raw)}")


def _shown(raw: object) -> str:
    shown = repr(raw)
    return shown if len(shown) <= _LONGEST_ECHO else shown[:_LONGEST_ECHO] + "..."


def hours_of_day(raw: object) -> tuple[int, int] | None:
    """Read hours like "22:00-07:00" as minutes of the day; empty for none."""
    value = text(raw)
    if not value:
        return None
    found = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)", value)
    if found is None:
        raise refusal('empty, or hours of the day such as "22:00-07:00"', raw)
    begin_hour, begin_minute, end_hour, end_minute = map(int, found.groups())
    return begin_hour * 60 + begin_minute, end_hour * 60 + end_minute


def web_address(raw: object) -> str:
    """Read the address of an HTTP endpoint; empty for none."""
    value = text(raw)
    parts = urlsplit(value) if _splits(value) else None
    if value and (parts is None or parts.scheme not in ("http", "https") or not parts.hostname):
        raise refusal('empty, or an address such as "https://alerts.example/hub"', raw)
    return value


def webhook_secret(raw: object) -> str:
    """Read a secret of Standard Webhooks; empty for none."""
    value = text(raw)
    if value:
        try:
            secret_key(value)
        except ValueError as fault:
            raise ValueError(f"cannot be used: {fault}") from fault
    return value
