"""/docs: the API reference and every document of the hub; people who have signed in find their test key in it."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from typing import Any, Final

import orjson
from aiohttp import web

from hub.docs_site.documents import documents, groups
from hub.docs_site.llms import llms_text
from hub.docs_site.markdown import code_html, prose
from hub.docs_site.site import Site, call_html, colour, html_of, program_html, signer_html, site_of, token_call_html
from hub.docs_site.snippets import LANGUAGES
from hub.domain.signing import TOLERANCE_SECONDS
from hub.merchant_api.openapi.document import describe
from hub.operations.merchants.keys import list_keys
from hub.pages.rendering import HEADERS
from hub.pages.visit import Page, Visit

START: Final = "/docs"
FIRST_CALL: Final = "reportConversion"
NO_KEY: Final = "ak_test_..."
PLAIN: Final = {**HEADERS, "Content-Type": "text/plain; charset=utf-8"}
MARKDOWN: Final = {**HEADERS, "Content-Type": "text/markdown; charset=utf-8"}


def docs_pages() -> list[Page]:
    """Return the pages."""
    shown = {
        START: show_start,
        f"{START}/reference": show_operations,
        f"{START}/reference/{{group}}": show_group,
        f"{START}/reference/{{api}}/{{group}}": show_token_group,
        f"{START}/search": show_found,
        f"{START}/signature": show_checker,
        f"{START}/llms.txt": show_llms,
        "/llms.txt": show_llms,
        f"{START}/{{document}}": show_document,
    }
    return [Page("GET", path, handler, public=True) for path, handler in shown.items()]


async def show_start(visit: Visit) -> web.StreamResponse:
    """Show the first call."""
    site = await _site(visit)
    first = site.operations[FIRST_CALL]
    return await _page(visit, "docs/start.html", site, first=first, codes=error_codes())


async def show_operations(visit: Visit) -> web.StreamResponse:
    """Show the list of all operations."""
    return await _page(visit, "docs/operations.html", await _site(visit))


async def show_group(visit: Visit) -> web.StreamResponse:
    """Show the operations of a group, or the list of those of an API with tokens."""
    site = await _site(visit)
    group, api = site.groups.get(visit.path["group"]), site.token_apis.get(visit.path["group"])
    if api is not None:
        return await _page(visit, "docs/token_operations.html", site, api=api)
    if group is None:
        return visit.page("not_found.html", 404)
    await asyncio.to_thread(colour, group)
    return await _page(visit, "docs/group.html", site, group=group)


async def show_token_group(visit: Visit) -> web.StreamResponse:
    """Show the operations of a group of an API with tokens."""
    site = await _site(visit)
    api = site.token_apis.get(visit.path["api"])
    group = None if api is None else api.groups.get(visit.path["group"])
    if api is None or group is None:
        return visit.page("not_found.html", 404)
    return await _page(visit, "docs/token_group.html", site, api=api, group=group, token_call_html=token_call_html)


async def show_found(visit: Visit) -> web.StreamResponse:
    """Show what a search found."""
    site, asked = await _site(visit), visit.query.get("q", "").strip()[:200]
    return await _page(visit, "docs/search.html", site, asked=asked, found=site.index.find(asked))


async def show_checker(visit: Visit) -> web.StreamResponse:
    """Show the page that computes a signature in the browser."""
    return await _page(visit, "docs/signature.html", await _site(visit), tolerance=TOLERANCE_SECONDS)


async def show_document(visit: Visit) -> web.StreamResponse:
    """Show a document, or its Markdown under `.md`."""
    name = visit.path["document"]
    if name.endswith(".md") and name.removesuffix(".md") in documents():
        return web.Response(body=documents()[name.removesuffix(".md")].source.encode(), headers=MARKDOWN)
    site = await _site(visit)
    document = site.documents.get(name)
    if document is None:
        return visit.page("not_found.html", 404)
    return await _page(visit, "docs/document.html", site, document=document, content=html_of(name))


async def show_llms(visit: Visit) -> web.StreamResponse:
    """Show what there is to read, for programs."""
    site, root = await _site(visit), await visit.services.root()
    return web.Response(body=llms_text(root, groups(), site.groups).encode(), headers=PLAIN)


def error_codes() -> list[str]:
    """Return the error codes that have a paragraph."""
    return [section.anchor for section in html_of("errors").sections if section.level == 3]


async def own_test_key(visit: Visit) -> str | None:
    """Return the newest test key of the first merchant that the visitor belongs to; None without one."""
    if visit.session is None:
        return None
    merchants = (role["merchantId"] for role in visit.person.roles)
    merchant_id = next((each for each in merchants if each is not None), None)
    if merchant_id is None:
        return None
    keys = await list_keys(visit.services.store, merchant_id)
    usable = [key["keyId"] for key in keys if key["mode"] == "test" and key["revokedAt"] is None]
    return usable[-1] if usable else None


@cache
def _made_site(descriptions: tuple[tuple[str, bytes], ...]) -> Site:
    return site_of(describe(), {kind: orjson.loads(raw) for kind, raw in descriptions})


async def _site(visit: Visit) -> Site:
    descriptions = tuple(visit.services.descriptions.items())
    return await asyncio.to_thread(_made_site, descriptions)  # the first time it takes a few tenths of a second


async def _page(visit: Visit, template: str, site: Site, **values: Any) -> web.Response:
    key, root = await own_test_key(visit), await visit.services.root()
    return visit.page(
        template,
        site=site,
        menu=groups(),
        languages=LANGUAGES,
        calls=lambda operation: partial(call_html, operation),
        programs=lambda operation: partial(program_html, operation),
        signer_html=signer_html,
        code_html=code_html,
        prose=prose,
        key_id=key or NO_KEY,
        base=f"{root}/api",
        root=root,
        **values,
    )
