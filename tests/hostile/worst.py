"""The worst texts that each door was ever thought to be sent, as large as it takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tests.hostile.doors import DOORS

CAMT: Final = b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'
PAIN: Final = b'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">'
BOMB: Final = (
    b'<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><d>&c;</d>'
)
JSON: Final = {
    "brackets": b"[" * 1_000_000,
    "objects": b'{"a":' * 200_000,
    "closed": b'{"metadata":' + b"[" * 500_000 + b"]" * 500_000 + b"}",
    "numbers": b'{"orderAmount":' + b"9" * 1_000_000 + b"}",
    "decimals": b'{"orderAmount":"0.' + b"0" * 1_000_000 + b'"}',
    "escapes": b'{"externalOrderId":"' + b"\\u0000" * 150_000 + b'"}',
    "backslashes": b'{"externalOrderId":"' + b"\\\\" * 500_000 + b'"}',
    "keys": b"{" + b",".join(b'"k%d":1' % number for number in range(80_000)) + b"}",
    "same key": b"{" + b",".join([b'"k":1'] * 150_000) + b"}",
    "commas in text": b'{"externalOrderId":"' + b"," * 1_000_000 + b'"}',
    "quotes": b'"' * 1_000_000,
    "half a pair": b'{"externalOrderId":"\\ud800"}',
    "blanks": b" " * 1_000_000,
    "no utf-8": b"\xff" * 1_000_000,
}
XML: Final = {
    "bomb": BOMB,
    "outside": b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d>&a;</d>',
    "deep": CAMT + b"<a>" * 300_000,
    "deep and closed": CAMT + b"<Stmt>" * 70_000 + b"</Stmt>" * 70_000 + b"</Document>",
    "entries": CAMT + b"<Stmt>" + b"<Ntry><Ntry/></Ntry>" * 45_000 + b"</Stmt></Document>",
    "details in entries": CAMT + b"<Stmt>" + b"<Ntry>" * 2_000 + b"<TxDtls/>" * 2_000 + b"</Ntry>" * 2_000
    + b"</Stmt></Document>",
    "statuses": PAIN + b"<OrgnlGrpInfAndSts><OrgnlMsgId>1</OrgnlMsgId></OrgnlGrpInfAndSts>" + b"<TxInfAndSts/>" * 60_000
    + b"</Document>",
    "attributes": b"<a " + b" ".join(b'a%d=""' % number for number in range(90_000)) + b"/>",
    "names": b"<" + b"a" * 1_000_000,
    "spaces": b"<Document" + b" xmlns:a" * 100_000 + b">",
    "utf-16": CAMT.decode().encode("utf-16"),
    "another encoding": b'<?xml version="1.0" encoding="hz"?><a/>',
    "no such encoding": b'<?xml version="1.0" encoding="nothing"?><a/>',
}  # fmt: skip
ROWS: Final = {
    "an open quote": b'externalOrderId,orderAmount\n"' + b"a" * 1_000_000,
    "open quotes": b"externalOrderId,orderAmount\n" + b'"a\n' * 300_000,
    "quotes": b"externalOrderId,orderAmount\n" + b'""' * 500_000,
    "lines": b"externalOrderId,orderAmount" + b"\r" * 1_000_000,
    "columns": b"externalOrderId,orderAmount" + b"," * 1_000_000,
    "delimiters": b",;\t|" * 250_000,
    "NUL": b"externalOrderId,orderAmount\n" + b"\0" * 1_000_000,
}
STATEMENT: Final = {
    "columns": b"bookedon,amount,currency" + b"," * 1_000_000,
    "an open quote": b'bookedon,amount,currency\n"' + b"a\n" * 400_000,
    "a long cell": b"bookedon,amount,currency\n2026-01-01," + b"1" * 400_000 + b",USD",
    "NUL": b"bookedon,amount,currency\n\0",
    "no utf-8": b"bookedon,amount,currency\n\xff",
}
LINKS: Final = {
    "blanks": b"<a>" + b"; " * 4_000,
    "parameters": b"<a>" + b';a="' * 2_000,
    "relations": b"<a>; rel=" + b" next" * 1_600,
    "openings": b"<" * 8_000,
    "half an address": b'<http://[>; rel="next"',
    "brackets": b'<https://[::1>; rel="next"',
    "a port": b'<https://shop.example:99999999/>; rel="next"',
    "parts": b"<?" + b"&" * 8_000 + b'>; rel="next"',
}
HEADERS: Final = {
    "commas": b"," * 8_190,
    "pairs": b"t=1,v1=" * 1_000,
    "signatures": b"t=1" + b",v1=00" * 1_300,
    "digits": b"t=" + b"1" * 8_000 + b",v1=00",
    "Arabic digits": "t=\u0661\u0667,v1=00".encode(),
    "bytes": bytes(range(256)),
    "quotes": b'"' + b"\\" * 8_000 + b'"',
    "open quote": b'"' + b"a" * 8_000,
    "lines": b"\n" * 8_000,
    "base64": b"A" * 8_189,
    "half a character": b"gA",
}
TEXTS: Final = {
    "dots": b"http://" + b"a." * 400_000,
    "at": b"http://" + b"@" * 500_000,
    "brackets": b"http://[" + b":" * 100_000,
    "idn": "http://\u00e4".encode() + "\u00e4.".encode() * 200_000,
    "percents": b"http://shop.example/" + b"%" * 900_000,
    "slashes": b"http://shop.example" + b"/" * 900_000,
    "a port": b"http://shop.example:" + b"9" * 500_000,
    "ports": b"https://shop.example:99999/",
    "half width": "http://shop\uff0eexample/".encode(),
    "mails": b"a@" * 500_000,
    "dashes": b"a@" + b"a-" * 400_000,
    "mail dots": b"a@a" + b".a" * 400_000 + b"!",
    "an address of IPv6": b"1:1:1:1:1" + b"a" * 60 + b"g",
    "colons": b"1:" * 400_000,
    "numbers": b"1." * 400_000,
    "secrets": b"secret" * 150_000,
    "names": b"token" + b"_" * 900_000,
    "long": b"a" * 1_000_000,
    "equals": b"token=" * 160_000,
    "bytes": bytes(range(256)) * 4,
}
PICTURES: Final = {
    "nothing": b"",
    "PNG's name": b"\x89PNG\r\n\x1a\n",
    "a wide PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\0\0\0" + bytes(4),
    "JPEG's name": b"\xff\xd8\xff\xe0",
    "JPEG's marks": b"\xff\xd8" + b"\xff\xe1\0\2" * 250_000,
    "WebP's name": b"RIFF\xff\xff\xff\xffWEBPVP8X",
    "SVG": b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>",
    "GIF": b"GIF89a\xff\xff\xff\xff\0\0\0",
}
WORST: Final[Mapping[str, Mapping[str, bytes]]] = {
    **dict.fromkeys(("order", "status", "product", "graphql"), JSON),
    "recording": {name: raw[:65_536] for name, raw in JSON.items()},
    "csv": ROWS,
    "statement": {**XML, **STATEMENT},
    "report": XML,
    "link": LINKS,
    **dict.fromkeys(("stamp", "credentials", "idempotency", "cursor"), HEADERS),
    **dict.fromkeys(("url", "picture_url", "agent", "log", "recorded_header"), TEXTS),
    "picture": PICTURES,
}


def worst() -> Iterator[tuple[str, str, bytes]]:
    """Yield each door with the name of a text and the text, as long as the door is ever given one."""
    for door, texts in WORST.items():
        for name, raw in texts.items():
            yield door, name, raw[: DOORS[door].most]
