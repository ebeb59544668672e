"""How the network presents itself: its name, logo, accent colour, imprint and terms, as the operator sets them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.colours import Unreadable, is_colour, light_accent
from hub.operations.errors import InvalidFields
from hub.operations.pictures.pictures import Encoded
from hub.operations.trail import note_act
from hub.storage import Store

USUAL_NAME: Final = "Affiliate hub"
LONGEST_NAME: Final = 60
LONGEST_TEXT: Final = 20_000
MOST_LOGO_BYTES: Final = 262_144
MOST_SIDE: Final = 1_024


@frozen
class Branding:
    """The network's own; `accent` is "" for the hub's green, texts are "" if there are none."""

    name: str = USUAL_NAME
    accent: str = ""
    imprint: str = ""
    terms: str = ""
    logo: Encoded | None = None
    version: str = ""
    """Changes with any of it: part of the addresses of its stylesheet and logo."""


USUAL: Final = Branding()


async def show_branding(store: Store) -> Branding:
    """Return the branding in force."""
    row = await store.fetch_one("branding")
    if row is None:
        return USUAL
    kept = json.loads(row["content"])
    logo = kept.get("logo")
    picture = (
        None
        if logo is None
        else Encoded(logo["type"], logo["width"], logo["height"], base64.b64decode(logo["content"]))
    )
    version = hashlib.sha256(row["content"].encode()).hexdigest()[:16]
    return Branding(kept["name"], kept["accent"], kept["imprint"], kept["terms"], picture, version)


async def set_branding(
    store: Store, clock: Clock, *, name: str, accent: str, imprint: str, terms: str,
    logo: Encoded | None = None, keeps_logo: bool = True,
) -> Branding:  # fmt: skip
    """Set all of it; without a new `logo` the one that is there stays if it `keeps_logo`.

    Raise `InvalidFields`, which names every field that cannot be used.
    """
    shown, colour = " ".join(name.split()) or USUAL_NAME, accent.strip().lower()
    faults = dict(_faults(shown, colour, {"imprint": imprint, "terms": terms}, logo))
    if faults:
        raise InvalidFields(faults)
    before = await show_branding(store)
    kept = logo or (before.logo if keeps_logo else None)
    now = clock()
    texts = {"imprint": imprint.strip(), "terms": terms.strip()}
    content = {"name": shown, "accent": colour, **texts, "logo": _stored(kept)}
    async with store.write() as tx:
        await tx.run("set_branding", content=json.dumps(content, ensure_ascii=False), now=now)
        after = Branding(shown, colour, texts["imprint"], texts["terms"], kept, before.version)
        if after != before:
            await note_act(tx, now, "network.branded", "network", before=_noted(before), after=_noted(after))
    return await show_branding(store)


async def logo_of(store: Store) -> bytes | None:
    """Return the logo as its picture's bytes, for documents and mails; None without one."""
    logo = (await show_branding(store)).logo
    return None if logo is None else logo.content


async def issuer_of(store: Store, settings: Settings) -> str:
    """Return who issues statements and invoices: the name that pays in the settings, else the network's own."""
    brand = USUAL if settings.payouts.debtor_name else await show_branding(store)
    return settings.issuer if brand.name == USUAL_NAME else brand.name


def _faults(name: str, colour: str, texts: Mapping[str, str], logo: Encoded | None) -> Iterator[tuple[str, str]]:
    """Yield the field and the fault of each thing that cannot be used."""
    if len(name) > LONGEST_NAME or not name.isprintable():
        yield "name", f"A name has at most {LONGEST_NAME} printable characters."
    if colour and not is_colour(colour):
        yield "accent", "Write a colour like #2f6b4f."
    elif colour:
        try:
            light_accent(colour)
        except Unreadable as fault:
            yield "accent", str(fault)
    for field, text in texts.items():
        if len(text) > LONGEST_TEXT:
            yield field, f"It has {len(text):,} characters; {LONGEST_TEXT:,} are the most."
    if logo is not None and (len(logo.content) > MOST_LOGO_BYTES or max(logo.width, logo.height) > MOST_SIDE):
        yield "logo", f"A logo has at most {MOST_SIDE:,} pixels a side and {MOST_LOGO_BYTES >> 10} KiB."


def _noted(brand: Branding) -> dict[str, str | None]:
    """Return a branding as the trail keeps it: of the logo, what it is."""
    logo = brand.logo
    drawn = None if logo is None else f"{logo.media_type}, {logo.width} by {logo.height}, {len(logo.content)} bytes"
    return {"name": brand.name, "accent": brand.accent, "imprint": brand.imprint, "terms": brand.terms, "logo": drawn}


def _stored(logo: Encoded | None) -> dict[str, str | int] | None:
    if logo is None:
        return None
    content = base64.b64encode(logo.content).decode()
    return {"type": logo.media_type, "width": logo.width, "height": logo.height, "content": content}
