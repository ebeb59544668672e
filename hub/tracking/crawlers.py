"""Crawlers: which user agents are not buyers, by the list of the crawlerdetect package.

The package joins its 1,500 patterns into one regular expression, which tries each of them at each place of a text and
backtracks: 512 characters that a stranger chose take 44 ms. Most patterns are plain words, so each word is looked for
by itself here, in time proportional to the text; only the rest are regular expressions. The answers are the package's
own (a test compares them).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from crawlerdetect import providers

LONGEST_AGENT: Final = 256
CACHED_AGENTS: Final = 4_096
OPTIONAL_PREFIX: Final = re.compile(r"^\[[^\]]+\]\*(?=.)")
"""A prefix that may be empty decides nothing, and makes a search quadratic."""
CHOICE: Final = re.compile(r"\(([^()]*)\)").fullmatch
WORD: Final = re.compile(r"(?:\\[^\w]|[^\\.^$*+?{}\[\]()|])+").fullmatch
TOOLS: Final = re.compile(
    r"(curl|wget|httpie|python-requests|python-httpx|python-urllib|python|aiohttp|go-http-client|okhttp|axios|node|undici"
    r"|postmanruntime|insomnia|java|ruby|php|guzzlehttp)/|mozilla/5\.0 .*headlesschrome/",
    re.IGNORECASE,
).match
"""Tools that people use by hand, which the crawler list contains too: a link that is tried with one must click."""


def is_crawler(agent: str) -> bool:
    """Return whether a User-Agent is a crawler's; what comes after `LONGEST_AGENT` characters does not count."""
    return _is_crawler(agent[:LONGEST_AGENT].encode("ascii", "replace").decode("ascii").strip())


@lru_cache(maxsize=CACHED_AGENTS)
def _is_crawler(agent: str) -> bool:
    left = _EXCLUSIONS.sub("", agent)
    if not left or TOOLS(agent):
        return False
    lower = left.lower()
    return any(word in lower for word in _WORDS) or any(pattern.search(left) for pattern in _PATTERNS)


def _joined(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _split(patterns: Iterable[str]) -> tuple[tuple[str, ...], tuple[re.Pattern[str], ...]]:
    """Return the plain words among the patterns, in lower case, and the rest; those for the beginning are one."""
    words, anchored, others = set[str](), [], []
    for listed in patterns:
        pattern = OPTIONAL_PREFIX.sub("", listed)
        choice = CHOICE(pattern)
        alternatives = choice[1].split("|") if choice else [pattern]
        if all(map(WORD, alternatives)):
            words.update(re.sub(r"\\(.)", r"\1", word).lower() for word in alternatives)
        elif pattern.startswith("^"):
            anchored.append(pattern)
        else:
            others.append(pattern)
    return tuple(sorted(words)), (_joined(anchored), *(_joined([pattern]) for pattern in others))


_EXCLUSIONS: Final = _joined(providers.exclusions.data)
_WORDS, _PATTERNS = _split(providers.crawlers.data)
