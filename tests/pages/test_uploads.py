"""CSV files, uploaded in the pages by the merchant's owner."""

from __future__ import annotations

import re

import aiohttp
import pytest

from hub.app import Hub
from hub.csv_import.job import SPOOL, new_upload
from hub.testing.clock import FakeClock
from tests.pages.test_keys import owner
from tests.pages.visitor import Seen, Visitor, browser, seen
from tests.polling import until

HERE = "/merchant/uploads"
GOOD = "externalProductId,name,productUrl,price\nF-1,Fern,https://shop.example/f,20.00\n"
BAD = GOOD + "F-2,<b>Moss</b>,https://other.example/m,5.00\n"


async def upload(ann: Visitor, text: str, csrf: str | None = None, name: str = "p.csv", **fields: str) -> Seen:
    """Send the form as a browser does."""
    form = aiohttp.FormData(quote_fields=False)
    for field, value in {
        "csrf": csrf or (await ann.get(f"{HERE}?mode=test")).csrf,
        "kind": "products",
        **fields,
    }.items():
        form.add_field(field, value)
    form.add_field("file", text.encode(), filename=name, content_type="text/csv")
    async with ann.session.post(HERE, data=form, allow_redirects=False) as response:
        return await seen(response)


async def ended(ann: Visitor, address: str) -> Seen:
    """Wait until a file is applied."""

    async def found() -> Seen | None:
        page = await ann.get(address)
        return page if "data-poll" not in page.text else None

    page = await until(found)
    assert isinstance(page, Seen)
    return page


async def test_a_file_is_tried_then_applied(either_hub: Hub, clock: FakeClock) -> None:
    """A try stores nothing; each row that fails is shown with its line and why, and the rest is applied."""
    async with browser(either_hub) as ann:
        await owner(either_hub, clock, ann)
        tried = await upload(ann, BAD, dry="1", name="lists/Moss & fern.csv")
        page = await ended(ann, tried.location or "")
        assert "Every row has been checked; nothing is stored yet." in page.words
        assert re.search(
            r'<th scope="row">3</th>\s*<td data-label="Id">F-2</td>\s*<td data-label="Column">productUrl', page.text
        )
        assert "No product yet" in (await ann.get("/merchant/products")).words
        applied = await upload(ann, BAD)
        page = await ended(ann, applied.location or "")
        assert "Created 1" in page.words
        assert "Failed 1" in page.words
        assert "Fern" in (await ann.get("/merchant/products")).words
        results = await ann.get(f"{applied.location}/results")
        assert results.headers["Content-Disposition"].endswith('.results.csv"')
        assert [line.split(",")[3] for line in results.text.splitlines()] == ["verdict", "created", "failed"]
        listed = await ann.get(HERE)
        assert listed.words.count("Products, checked only") == 1
        assert " Moss & fern.csv Products, checked only " in listed.words
        assert " Moss & fern.csv " in (await ann.get(tried.location or "")).words
        assert " p.csv Products " in listed.words
        assert (await ann.get("/merchant/csv-template?kind=orders")).text.startswith("externalOrderId,")


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [("", "p.csv", "The file is empty."), (GOOD, "", "Choose a CSV file."), ("x" * 3_000, "p.csv", "larger than")],
)
async def test_what_is_no_file_is_said(
    hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, text: str, name: str, told: str
) -> None:
    """Nothing is kept of it."""
    object.__setattr__(hub.parts.pages, "most_file_bytes", 2_048)
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        refused = await upload(ann, text, name=name)
        assert told in refused.words
        assert "Nothing yet" in (await ann.get(HERE)).words
        directory = hub.parts.settings.upload_directory
        assert not directory.exists() or list(directory.iterdir()) == []


async def test_a_file_of_another_kind_is_refused_whole(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        page = await ended(ann, (await upload(ann, "a,b\n1,2\n")).location or "")
        assert "Refused" in page.words


async def test_a_file_from_elsewhere_is_refused(hub: Hub, clock: FakeClock) -> None:
    """The token is read before the file; the control is every test above."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        assert (await upload(ann, GOOD, csrf="0" * 64)).status == 403
        assert "Nothing yet" in (await ann.get(HERE)).words


@pytest.mark.parametrize(
    ("given", "kept"),
    [("C:\\fakepath\\Spring.csv", "Spring.csv"), ("a\0b\n.csv", "ab.csv"), ("x" * 300, "x" * 200), ("", "")],
)
def test_a_files_name_is_kept_without_folders_and_what_cannot_be_printed(given: str, kept: str) -> None:
    """PostgreSQL stores no NUL, and a page shows no line break."""
    made = new_upload("acc", "orders", dry_run=False, source=SPOOL, size=1, sha256="", now=0, file_name=given)
    assert made.file_name == kept
