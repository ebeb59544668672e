"""Sentences of the operations as an owner reads them: without commands, settings of the machine and files of it.

What a command would do, the page has a form for.
"""

from __future__ import annotations

import re
from typing import Final

COMMAND: Final = re.compile(
    r"(?: See)?[ :]*`?hub (?:connection|plugin|event) \w+(?: add|)`?(?: \S+_\w+)?(?: --\w+(?: [A-Z]+)?)*\.?$"
)
OF_THE_MACHINE: Final = {
    re.compile(r", or for a shop on this machine see docs/.*$"): ".",
    re.compile(r"Give the hub a public address \(HUB_SERVER_PUBLIC_URL\)"): (
        "The operator of this hub has to give it a public address"
    ),
    re.compile(r" Type the keys instead, or set HUB_SERVER_PUBLIC_URL.*$"): " Type the keys instead.",
    re.compile(r" \(docs/[\w-]+\.md\)"): "",
}


def spoken(sentence: str) -> str:
    """Return a sentence without the command at its end, and with what only the operator can do said as that."""
    for pattern, words in OF_THE_MACHINE.items():
        sentence = pattern.sub(words, sentence)
    plain = COMMAND.sub("", sentence).rstrip(" :;,")
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
