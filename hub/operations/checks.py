"""Checks of what an operator types; each returns the normalized value or raises `OperatorFault`."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Final

from hub.domain.durations import parse_duration
from hub.domain.money import CURRENCIES, MoneyError
from hub.domain.networks import unmapped
from hub.domain.orders.catalog import ascii_host
from hub.domain.orders.commission import Rule
from hub.domain.orders.coupons import tidy_coupon
from hub.domain.orders.rule_kinds import kind_named
from hub.domain.orders.sub_ids import LONGEST_SUB, SUB_NAMES, is_sub_id, sub_ids_in
from hub.domain.writing import hidden_in, tidied
from hub.operations.errors import OperatorFault
from hub.records.words import words_of
from hub.validation.constraints import Fault
from hub.validation.input_reader import texts_of

EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+", re.ASCII)
COUPON = re.compile(r"\S{1,80}")
NAME_LIMIT = 255
TEXT_LIMIT = 2_000


def checked_name(text: str, what: str = "A name", limit: int = NAME_LIMIT) -> str:
    """Return 1 to `limit` printable characters without the blanks around them; `what` begins the refusal."""
    return _written(tidied(text), what, limit, quoted=repr(text))


def checked_text(text: str, what: str, limit: int = TEXT_LIMIT) -> str:
    """Return a text of 1 to `limit` characters, line breaks allowed; `what` begins the refusal ("A reason")."""
    return _written(tidied(text.replace("\r\n", "\n")), what, limit, "\n\t")


def checked_texts(cls: type, given: object, before: object = None) -> dict[str, str | None]:
    """Return the texts of an input class as they are stored: None leaves what was `before`, and an empty one ends it.

    `given` and `before` have an attribute for each text. Raise `OperatorFault` for one that is too long or holds what
    no one sees.
    """
    stored = {}
    for each in texts_of(cls):
        value, what = getattr(given, each.name), f"The {words_of(each.name)}"
        text = getattr(before, each.name, None) if value is None else tidied(value)
        try:
            stored[each.name] = each.constraint.read(text) if text else None
        except Fault as fault:
            raise OperatorFault(f"{what} {fault}.") from None
        if text and (hidden := hidden_in(text)):
            raise OperatorFault(f"{what} must not hold {hidden}, which cannot be seen. Type it instead of pasting it.")
    return stored


def _written(text: str, what: str, limit: int, allowed: str = "", quoted: str = "this one") -> str:
    """Return a tidied text; refuse one whose length is wrong or which holds what no one sees, and say which.

    A page puts a fault beside the field whose value is `quoted` in it.
    """
    demand = f"{what} has 1 to {limit:,} printable characters"
    if not text or len(text) > limit:
        raise OperatorFault(f"{demand}; {quoted} has {len(text):,}.")
    if hidden := hidden_in(text, allowed):
        raise OperatorFault(f"{demand}; {quoted} holds {hidden}, which cannot be seen. Type it instead of pasting it.")
    return text


def checked_email(text: str) -> str:
    """Return what looks like an e-mail address, and what the header of a mail can hold (RFC 5322's dot-atom, in ASCII).

    Only a message to it could show whether it exists.
    """
    email = text.strip()
    if len(email) > NAME_LIMIT or not EMAIL.fullmatch(email) or any(not part for part in re.split("[.@]", email)):
        raise OperatorFault(f"{text!r} is not an e-mail address; write it like ann@shop.example.")
    return email


_WEB_ADDRESS: Final = re.compile("^https?://", re.IGNORECASE)


def checked_domain(text: str) -> str:
    """Return an approved domain in ASCII form, with a port if exactly that port is meant ("127.0.0.1:8081").

    A web address that was pasted stands for its host. A single label is refused (except localhost): every subdomain of
    an approved domain is approved too.
    """
    bare = _WEB_ADDRESS.sub("", text.strip(), count=1).partition("/")[0]
    host, colon, port = bare.partition(":")
    domain = ascii_host(host)
    if domain is None or ("." not in domain and domain != "localhost") or (colon and not _is_port(port)):
        raise OperatorFault(f"{text!r} is not a domain; write it bare, like shop.example (or 127.0.0.1:8081).")
    return domain + colon + port


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text[:6]) < 65536


def checked_currency(text: str) -> str:
    """Return an ISO 4217 code, given in any case, in upper case."""
    code = text.strip().upper()
    if code not in CURRENCIES:
        raise OperatorFault(f"{text!r} is not an ISO 4217 currency; write a code like USD or EUR.")
    return code


def checked_rule(text: str, currency: str) -> Rule:
    """Return the commission rule of "PERCENTAGE:8" or "FIXED:5.00" (in `currency`)."""
    name, colon, value = text.strip().partition(":")
    kind = kind_named(name) if colon else None
    if kind is None:
        raise OperatorFault(f"{text!r} is not a commission; write PERCENTAGE:8 or FIXED:5.00.")
    try:
        kind.check(value, currency)
    except (MoneyError, ValueError) as fault:
        raise OperatorFault(f"The commission {text!r} {fault}.") from None
    return Rule(kind.type, value)


def checked_duration(text: str, what: str) -> int:
    """Return the milliseconds of a duration like 90d, 12h, 15m or 20s; `what` completes the refusal ("a hold")."""
    try:
        return parse_duration(text)
    except ValueError:
        raise OperatorFault(f"{text!r} is not a duration for {what}; write it like 20s, 15m, 12h or 90d.") from None


def checked_cidr(text: str) -> str:
    """Return an address range in its canonical form; a single address is a range of one.

    An IPv4 range that is written as IPv6 (::ffff:203.0.113.0/120) is returned as IPv4: so clients are compared.
    """
    try:
        return str(unmapped(ipaddress.ip_network(text.strip())))
    except ValueError:
        pass
    try:
        meant = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise OperatorFault(f"{text!r} is not an address range; write it like 203.0.113.0/24.") from None
    raise OperatorFault(f"{text!r} names an address inside a range; write the range itself: {meant}.")


def checked_coupon(text: str) -> str:
    """Return a coupon code as it is stored: in upper case, because buyers type coupons as they like."""
    code = (tidy_coupon(text) or "").upper()
    if not COUPON.fullmatch(code) or not code.isprintable():
        raise OperatorFault(f"{text!r} is not a coupon code; use 1 to 80 visible characters, without spaces.")
    return code


def checked_reference(text: str) -> str:
    """Return a payout reference of 1 to 255 printable characters."""
    reference = text.strip()
    if not reference or len(reference) > NAME_LIMIT or not reference.isprintable():
        raise OperatorFault(f"A payout reference has 1 to {NAME_LIMIT} printable characters; {text!r} does not.")
    return reference


def checked_sub_ids(sub_ids: Mapping[str, object]) -> dict[str, str]:
    """Return the sub-ids that are not empty, as texts, in the order of their names."""
    given = {name: str(value) for name, value in sub_ids.items()}
    for name, value in given.items():
        if name not in SUB_NAMES or (value.strip() and not is_sub_id(value.strip())):
            raise OperatorFault(
                f"{name}={value!r} is not a sub-id; they are {SUB_NAMES[0]} to {SUB_NAMES[-1]}, each with at most "
                f"{LONGEST_SUB} printable characters."
            )
    return dict(sub_ids_in(given))
