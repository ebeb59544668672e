"""A real delivery without its buyer: names, addresses, e-mails, phones and IPs become fakes, the rest stays as it is.

The same value always becomes the same fake, so that what belonged together still does. Texts are replaced inside the
raw body, so that the platform's order of fields, its blanks and its escapes stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_EMAIL: Final = re.compile(r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_IPV4: Final = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])")
_IPV6: Final = re.compile(
    r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}(?::[0-9a-fA-F]{0,4}|[0-9a-fA-F]{1,4})(?::[0-9a-fA-F]{1,4})*(?![\w:])"
)
_WORDS: Final = re.compile(r"[a-z0-9]+")
PERSON: Final = frozenset({
    "customer", "ordercustomer", "buyer", "billing", "shipping", "billingaddress", "shippingaddress", "defaultaddress",
    "address", "addresses", "recipient", "destination", "clientdetails", "contact",
})  # fmt: skip
"""Objects that describe a person: every text in them but codes and words of the platform's own is replaced."""
OWN: Final = frozenset({
    "email", "contactemail", "phone", "phonenumber", "mobile", "firstname", "lastname", "fullname", "company", "street",
    "address1", "address2", "city", "zip", "zipcode", "postcode", "postalcode", "ip", "browserip", "remoteaddress",
    "customeripaddress", "useragent", "customeruseragent", "note", "customernote", "customercomment", "message",
    "vatid", "birthday", "orderkey", "checkouttoken", "carttoken", "token", "apikey", "secretkey", "deeplinkcode",
    "orderstatusurl", "paymenturl", "latitude", "longitude",
})  # fmt: skip
"""Fields whose text is replaced wherever they are, by their names without blanks, dashes and underscores."""
KEPT: Final = frozenset({
    "id", "type", "status", "state", "currency", "currencycode", "country", "countrycode", "countryiso", "provincecode",
    "locale", "createdat", "updatedat", "date", "technicalname", "admingraphqlapiid", "customergroupid", "tags", "role",
})  # fmt: skip
"""Fields of a person that name nobody."""


def scrub(raw: bytes) -> bytes:
    """Return a JSON body without its buyer; raise `ValueError` if it is not JSON in UTF-8, or nests too deep."""
    try:
        fakes = {text: fake_of(name, text) for name, text in _personal(json.loads(raw.decode()), inside=False)}
    except RecursionError:
        raise ValueError("it nests objects and arrays too deep") from None
    return _STRING.sub(lambda found: _replaced(found[0], fakes), raw)


def scrub_text(text: str) -> str:
    """Return a text with every e-mail and IP address replaced, as for a header."""
    for pattern, name in ((_EMAIL, "email"), (_IPV4, "ip"), (_IPV6, "ip")):
        text = pattern.sub(lambda found, name=name: fake_of(name, found[0]), text)  # type: ignore[misc]  # a lambda's default has no type
    return text


def fake_of(name: str, text: str) -> str:
    """Return the fake of a value, by what its field is called."""
    mark = sha256(text.strip().lower().encode()).hexdigest()
    digits = str(int(mark[:12], 16))
    if "email" in name or _EMAIL.fullmatch(text):
        return f"buyer-{mark[:6]}@buyer.example"
    if name in {"ip", "browserip", "remoteaddress", "customeripaddress"} or _IPV4.fullmatch(text):
        return f"192.0.2.{int(mark[:2], 16)}"
    if "phone" in name or name == "mobile":
        return f"+1555{digits[:7]}"
    if name in {"zip", "zipcode", "postcode", "postalcode", "latitude", "longitude"}:
        return digits[:5]
    if name.endswith("url"):
        return f"https://shop.example/{mark[:8]}"
    return f"Fake {mark[:6]}"


def _personal(value: Any, *, inside: bool, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts that tell of a person, each with its field's name in small letters only."""
    if isinstance(value, dict):
        for key, inner in value.items():
            plain = "".join(_WORDS.findall(key.lower()))
            yield from _personal(inner, inside=inside or plain in PERSON, name=plain)
    elif isinstance(value, list):
        for inner in value:
            yield from _personal(inner, inside=inside, name=name)
    elif isinstance(value, str) and value.strip() and (name in OWN or (inside and name not in KEPT)):
        yield name, value


def _replaced(token: bytes, fakes: dict[str, str]) -> bytes:
    text = json.loads(token.decode())
    fake = fakes.get(text, scrub_text(text))
    return token if fake == text else json.dumps(fake).encode()
