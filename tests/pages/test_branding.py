"""The network's own name, logo, colour, imprint and terms: set on one page, seen on pages, in mails, on papers."""

from __future__ import annotations

import io
import json
import re
from collections import ChainMap
from email.message import EmailMessage

import aiohttp
import pytest
from PIL import Image

from hub.domain.colours import DARK, GROUNDS, LIGHT, READABLE, Unreadable, contrast, dark_accent, light_accent
from hub.mail.letters import compose
from hub.operations.lists import Wanted
from hub.operations.system.branding import issuer_of, set_branding, show_branding
from hub.operations.trail_lists import list_acts
from hub.pages.branding import accent_style
from hub.pages.brands import Brands
from tests.pages.conftest import Network
from tests.pages.test_contrast import blocks
from tests.pages.visitor import Visitor, browser

HERE = "/operator/branding"
NAME = "Fern & Co Partners"


def picture(side: int = 32) -> bytes:
    """A PNG of one colour."""
    made = io.BytesIO()
    Image.new("RGB", (side, side), "#336699").save(made, "PNG")
    return made.getvalue()


def test_the_grounds_are_those_of_the_stylesheet() -> None:
    tokens = blocks()
    for theme, selector in ((LIGHT, ":root"), (DARK, ':root[data-theme="dark"]')):
        assert ChainMap(theme, tokens[selector]) == tokens[selector]


@pytest.mark.parametrize("colour", ["#2f6b4f", "#1a4fa0", "#8a1c5b", "#222222", "#7a3b00"])
def test_an_accent_can_be_read_in_both_themes(colour: str) -> None:
    for accent, theme in ((light_accent(colour), LIGHT), (dark_accent(colour), DARK)):
        pairs = [(accent.colour, theme[ground]) for ground in GROUNDS]
        pairs += [(accent.colour, accent.pale), (accent.on, accent.colour), (theme["ink"], accent.pale)]
        assert [pair for pair in pairs if contrast(*pair) < READABLE] == []
    assert accent_style(colour).count("--fern: ") == 3


def test_a_colour_that_is_too_light_is_refused_with_one_that_is_not() -> None:
    with pytest.raises(Unreadable, match="contrast of") as refused:
        light_accent("#ffcc00")
    (named,) = set(re.findall("#[0-9a-f]{6}", str(refused.value))) - {"#ffcc00"}
    assert light_accent(named).colour == named


async def test_what_an_administrator_sets_is_seen_everywhere(network: Network, olu: Visitor) -> None:
    """All faults of the form are named together; the control is what strangers saw before."""
    hub, store = network.hub, network.hub.parts.store
    async with browser(hub) as stranger:
        assert "Affiliate hub" in (await stranger.get("/login")).text
        assert (await stranger.get("/imprint")).status == 404
        wrong = await olu.send(HERE, name="x" * 61, accent="#ffcc00", imprint="", terms="")
        assert (wrong.status, "at most 60" in wrong.words, "contrast of" in wrong.words) == (422, True, True)
        given = {"name": NAME, "accent": "#1A4FA0", "imprint": "Fern & Co, Oslo", "terms": "Be fair."}
        assert (await olu.send(HERE, **given)).location == f"{HERE}?done=saved"
        seen = await stranger.get("/login")
        assert "Fern &amp; Co Partners" in seen.text
        assert "Affiliate hub" not in seen.text
        style = re.search(r'href="(/branding/style\.css\?v=\w+)"', seen.text)
        assert style is not None
        assert "--fern: #1a4fa0" in (await stranger.get(style[1])).text
        assert "Fern & Co, Oslo" in (await stranger.get("/imprint")).words
        assert "Be fair." in (await stranger.get("/terms")).words
    assert await issuer_of(store, hub.parts.settings) == NAME
    (act,) = (await list_acts(store, Wanted({"act": "network.branded"}))).entries
    assert act["source"] == "page"
    assert (await olu.send(HERE, **given)).status == 303
    assert len((await list_acts(store, Wanted({"act": "network.branded"}))).entries) == 1, "the same again is no act"


async def test_a_logo_is_drawn_anew_and_served_with_its_type(network: Network, olu: Visitor) -> None:
    """What is no picture, and what is too large a one, is refused; it can be taken away again."""
    store, root = network.hub.parts.store, network.hub.url
    csrf = (await olu.get(HERE)).csrf

    async def send(content: bytes, **fields: str) -> int:
        form = aiohttp.FormData({"csrf": csrf, "name": "", "accent": "", "imprint": "", "terms": "", **fields})
        form.add_field("logo", content, filename="logo.png", content_type="image/png")
        async with olu.session.post(f"{root}{HERE}", data=form, allow_redirects=False) as answer:
            return answer.status

    assert [await send(content) for content in (b"<svg onload=alert(1)>", picture(1_025))] == [422, 422]
    assert await send(picture()) == 303
    kept = (await show_branding(store)).logo
    assert kept is not None
    assert (kept.media_type, kept.width) == ("image/png", 32)
    page = await olu.get("/operator")
    address = re.search(r'src="(/branding/logo\?v=\w+)"', page.text)
    assert address is not None
    async with olu.session.get(root + address[1]) as answer:
        assert (answer.content_type, await answer.read()) == ("image/png", kept.content)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert await send(b"", drop_logo="1") == 303
    assert (await show_branding(store)).logo is None


async def test_another_process_follows_within_seconds(network: Network) -> None:
    """The control: before they are over it shows what it knew."""
    store, clock, now = network.hub.parts.store, network.clock, [0.0]
    brands = Brands(store, lambda: now[0])
    assert (await brands.get()).name == "Affiliate hub"
    await set_branding(store, clock, name=NAME, accent="", imprint="", terms="")
    assert (await brands.get()).name == "Affiliate hub"
    now[0] = 5.0
    assert (await brands.get()).name == NAME


def test_a_mail_is_from_the_network() -> None:
    values = {"title": "T", "sentence": "S."}
    message = compose(
        "question", values, link="https://hub.example/", expires_at=None, mail_id="mail_1", recipient="a@b.example",
        sender="Affiliate hub <hub@hub.example>", now=0, network=NAME,
    )  # fmt: skip
    html = message.get_body(("html",))
    assert html is not None
    assert "Fern &amp; Co Partners" in html.get_content()
    assert message["From"].addresses[0].display_name == NAME
    assert json.dumps(str(message["From"])).count("Affiliate hub") == 0


def test_a_mail_brings_the_logo_along() -> None:
    """Nothing is fetched by whoever opens it; readers of the text alone, and networks without one, have the name."""
    values = {"email": "ann@shop.example"}

    def mail(logo: tuple[str, bytes] | None) -> EmailMessage:
        return compose(
            "login-link", values, link="https://hub.example/login/link/x", expires_at=0, mail_id="m", now=0,
            recipient="ann@shop.example", sender="hub@hub.example", network=NAME, logo=logo,
        )  # fmt: skip

    html = mail(("image/png", picture())).get_body(("html",))
    related = mail(("image/png", picture())).get_body(("related",))
    assert html is not None
    assert related is not None
    assert 'src="cid:logo" alt="Fern &amp; Co Partners"' in html.get_content()
    (drawn,) = related.iter_attachments()
    assert (drawn["Content-ID"], drawn.get_content()) == ("<logo>", picture())
    plain = mail(None).get_body(("html",))
    assert plain is not None
    assert ("cid:" in plain.get_content(), "Fern &amp; Co Partners" in plain.get_content()) == (False, True)
