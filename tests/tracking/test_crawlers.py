"""The crawler list answers as the package does, and no text that a stranger sends takes it long."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable, Iterator

import pytest
from crawlerdetect import CrawlerDetect, providers

from hub.tracking import crawlers
from hub.tracking.crawlers import LONGEST_AGENT, is_crawler

CRAWLERS = [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    (
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/130.0.6723.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
    ),
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
    "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
    (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 "
        "Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)"
    ),
    "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "Scrapy/2.11.0 (+https://scrapy.org)",
    "Apache-HttpClient/4.5.13 (Java/11.0.20)",
]
BROWSERS = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 "
        "Safari/537.36 Edg/130.0.2849.68"
    ),
    "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
    (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 "
        "Safari/605.1.15"
    ),
    (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        "Version/17.6 Mobile/15E148 Safari/604.1"
    ),
    (
        "Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0.6723.90 "
        "Mobile/15E148 Safari/604.1"
    ),
    (
        "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 "
        "Chrome/122.0.0.0 Mobile Safari/537.36"
    ),
    (
        "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile "
        "Safari/537.36"
    ),
    (
        "Mozilla/5.0 (Linux; Android 8.0.0; CUBOT X18) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0 Mobile "
        "Safari/537.36"
    ),
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 "
        "Safari/537.36 OPR/115.0.0.0"
    ),
    (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        "Mobile/15E148 Instagram 340.0.3.27.92"
    ),
    "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko",
]


@pytest.mark.parametrize("agent", CRAWLERS)
def test_crawlers_are_found(agent: str) -> None:
    assert is_crawler(agent)


@pytest.mark.parametrize("agent", ["", "  ", "\udcff\udcfe", *BROWSERS])
def test_browsers_are_not(agent: str) -> None:
    assert not is_crawler(agent)


def test_the_answers_are_those_of_the_package() -> None:
    """For every word of its list, alone and within the text of a browser; only people's tools are left out."""
    package = CrawlerDetect()
    words = [pattern.replace("\\", "") for pattern in providers.crawlers.data]
    agents = [text for word in words for text in (word, f"{BROWSERS[2]} {word}", f"x{word}")]
    agents = [agent for agent in agents if not crawlers.TOOLS(agent)]
    assert len(agents) > 4_000
    assert [agent for agent in agents if is_crawler(agent) != package.is_crawler(agent)] == []


def hostile_agents(count: int) -> Iterator[str]:
    """Yield texts of the greatest length: noise, repeats, beginnings of listed words, and near misses of patterns."""
    choice = random.Random(7)
    words = [pattern.replace("\\", "") for pattern in providers.crawlers.data + providers.exclusions.data]
    alphabets = ["a", "ab-_", string.ascii_letters + string.digits + " -_/.;()", "0123456789.", " ("]
    makers: list[Callable[[], str]] = [
        lambda: "".join(choice.choices(choice.choice(alphabets), k=512)),
        lambda: choice.choice(words)[:-1] * 512,
        lambda: "".join(choice.choice(words)[: choice.randint(1, 9)] for _ in range(512)),
        lambda: (
            choice.choice(["Java", "NewsBlur ", "Go 1", "CPU iPhone OS 1", "Mozilla/5.0 ", "Opera Mini/1.1.1"]) * 512
        ),
    ]
    for number in range(count):
        yield f"{choice.choice(makers)()[:500]}{number}"[:512]


def slowest(check: Callable[[str], object], agents: list[str]) -> float:
    """Return the processor time in milliseconds that the slowest takes, each at its best of three."""

    def once(agent: str) -> float:
        began = time.thread_time_ns()
        check(agent)
        return (time.thread_time_ns() - began) / 1e6

    return max(min(once(agent) for _ in range(3)) for agent in agents)


def uncached(agent: str) -> object:
    crawlers._is_crawler.cache_clear()
    return is_crawler(agent)


def test_no_agent_takes_long() -> None:
    agents = list(hostile_agents(500))
    assert {len(agent) for agent in agents} <= set(range(500, 513))
    assert slowest(uncached, agents) < 2


def test_control_of_the_time() -> None:
    """The package's own expression takes many times as long for a text of the same length."""
    text = "".join(random.Random(7).choices("ab-_", k=512))
    assert slowest(lambda agent: CrawlerDetect().is_crawler(agent), [text]) > 8


def test_what_comes_late_does_not_count() -> None:
    browser = BROWSERS[0].ljust(LONGEST_AGENT)
    assert not is_crawler(f"{browser}Googlebot/2.1")
