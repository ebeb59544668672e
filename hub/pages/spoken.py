"""Sentences of the operations as pages have them: without what only a person at the machine can do.

Owners read no command either: what one would do, their page has a form for. Operators read where it is explained.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

COMMAND: Final = re.compile(
    r"(?: See)?[ :]{0,3}`?hub (?:connection|plugin|event) \w+(?: add|)`?(?: \S+_\w+)?(?: --\w+(?: [A-Z]+)?)*\.?$"
)
OF_THE_MACHINE: Final = {
    re.compile(r", or for a shop on this machine see docs/.*$"): ".",
    re.compile(r"Give the hub a public address \(HUB_SERVER_PUBLIC_URL\)"): (
        "The operator of this hub has to give it a public address"
    ),
    re.compile(r" Type the keys instead, or set HUB_SERVER_PUBLIC_URL.*$"): " Type the keys instead.",
    re.compile(r" \(docs/[\w-]+\.md\)"): "",
}


VARIABLE: Final = re.compile(r" \(HUB_[A-Z_]+\)")
GUIDE: Final = re.compile(r",? (?:or )?for a shop on this machine see docs/.*$")
LAST_COMMAND: Final = re.compile(r"(?<=: )hub [a-z]+ [a-z].*(?<!\.)$")
PUBLIC_ADDRESS: Final = ("How to give the hub a public address", "/docs/install#behind-a-proxy")
SHOP_HERE: Final = ("A shop on this machine", "/docs/connect-a-store#1-create-the-connection")


def spoken_to_operators(sentences: Iterable[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return sentences without variables of the machine and paths of documents, and links to what explains them.

    A command at the end of a sentence is set in backticks. A link is its words and its address; each stands once.
    """
    said: list[str] = []
    links: dict[tuple[str, str], None] = {}
    for sentence in sentences:
        links |= {PUBLIC_ADDRESS: None} if VARIABLE.search(sentence) else {}
        links |= {SHOP_HERE: None} if GUIDE.search(sentence) else {}
        said.append(LAST_COMMAND.sub(r"`\g<0>`", VARIABLE.sub("", GUIDE.sub(".", sentence))))
    return said, [*links]


def spoken(sentence: str) -> str:
    """Return a sentence without the command at its end, and with what only the operator can do said as that."""
    for pattern, words in OF_THE_MACHINE.items():
        sentence = pattern.sub(words, sentence)
    plain = COMMAND.sub("", sentence).rstrip(" :;,")
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
