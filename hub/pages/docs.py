"""/docs: the API reference and every document of the hub; people who have signed in find their test key in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeAlias, TypeVar

import orjson
from aiohttp import web
from attrs import frozen
from markupsafe import Markup

from hub.docs_site.client_packages import SUMS, client_packages, sums
from hub.docs_site.documents import documents, groups
from hub.docs_site.llms import llms_full_text, llms_text
from hub.docs_site.markdown import code_html, prose
from hub.docs_site.reference import Group
from hub.docs_site.reference_markdown import group_markdown
from hub.docs_site.search import SearchIndex
from hub.docs_site.site import Site, call_html, html_of, program_html, signer_html, site_of, token_call_html
from hub.docs_site.snippets import LANGUAGES
from hub.domain.signing import TOLERANCE_SECONDS
from hub.merchant_api.openapi.document import describe
from hub.operations.merchants.keys import list_keys
from hub.pages.rendering import HEADERS, render_text
from hub.pages.visit import Page, PageHandler, Visit

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Descriptions: TypeAlias = tuple[tuple[str, bytes], ...]
"""The OpenAPI documents of the APIs with tokens, by kind."""

START: Final = "/docs"
FIRST_CALL: Final = "reportConversion"
NO_KEY: Final = "ak_test_..."
PLAIN: Final = {**HEADERS, "Content-Type": "text/plain; charset=utf-8"}
MOST_BODIES: Final = 128
"""Of about 60 KB each; the documentation has some 60 pages."""
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
        "/llms-full.txt": show_all_for_programs,
        f"{START}/clients/{{package}}": show_package,
        f"{START}/{{document}}": show_document,
    }
    above: dict[str, PageHandler] = {
        f"{START}/{name}/": partial(show_page_of, name) for name in ("clients", "reference")
    }
    return [Page("GET", path, handler, public=True) for path, handler in (shown | above).items()]


async def show_start(visit: Visit) -> web.StreamResponse:
    """Show the first call."""
    site = await _site(visit)
    first = site.operations[FIRST_CALL]
    return await _page(visit, "docs/start.html", "Merchant API", site, first=first, codes=error_codes())


async def show_operations(visit: Visit) -> web.StreamResponse:
    """Show the list of all operations."""
    return await _page(visit, "docs/operations.html", "API reference", await _site(visit))


async def show_group(visit: Visit) -> web.StreamResponse:
    """Show the operations of a group, or the list of those of an API with tokens."""
    site, name = await _site(visit), visit.path["group"]
    if name.endswith(".md"):
        return await _markdown(visit, site.groups.get(name.removesuffix(".md")), f"{await visit.services.root()}/api")
    group, api = site.groups.get(name), site.token_apis.get(name)
    if api is not None:
        return await _page(visit, "docs/token_operations.html", api.title, site, api=api)
    if group is None:
        return visit.page("not_found.html", 404)
    return await _page(visit, "docs/group.html", f"{group.title} · API reference", site, group=group)


async def show_token_group(visit: Visit) -> web.StreamResponse:
    """Show the operations of a group of an API with tokens."""
    site = await _site(visit)
    api, name = site.token_apis.get(visit.path["api"]), visit.path["group"]
    if api is not None and name.endswith(".md"):
        return await _markdown(visit, api.groups.get(name.removesuffix(".md")), api.root)
    group = None if api is None else api.groups.get(visit.path["group"])
    if api is None or group is None:
        return visit.page("not_found.html", 404)
    title = f"{group.title} · {api.title}"
    return await _page(visit, "docs/token_group.html", title, site, api=api, group=group)


async def _markdown(visit: Visit, group: Group | None, root: str) -> web.StreamResponse:
    """Return the operations of a group as Markdown."""
    if group is None:
        return visit.page("not_found.html", 404)
    return web.Response(body=(await asyncio.to_thread(group_markdown, group, root)).encode(), headers=MARKDOWN)


async def show_found(visit: Visit) -> web.StreamResponse:
    """Show what a search found."""
    site, asked = await _site(visit), visit.query.get("q", "").strip()[:200]
    title, reader = f"“{asked}”" if asked else "Search", await _reader(visit)
    index = await _made_once(_indexes, site, lambda of: of.index)
    found = {"asked": asked, "found": index.find(asked)}
    return _shown(visit, title, _body("docs/search.html", visit.address, reader, site, found))


async def show_checker(visit: Visit) -> web.StreamResponse:
    """Show the page that computes a signature in the browser."""
    return await _page(
        visit, "docs/signature.html", "Signature checker", await _site(visit), tolerance=TOLERANCE_SECONDS
    )


async def show_document(visit: Visit) -> web.StreamResponse:
    """Show a document, or its Markdown under `.md`."""
    name = visit.path["document"]
    if name.endswith(".md") and name.removesuffix(".md") in documents():
        return web.Response(body=documents()[name.removesuffix(".md")].source.encode(), headers=MARKDOWN)
    site = await _site(visit)
    document = site.documents.get(name)
    if document is None:
        return visit.page("not_found.html", 404)
    return await _page(visit, "docs/document.html", document.title, site, document=document)


async def show_package(visit: Visit) -> web.StreamResponse:
    """Return the package of a client, or the sums of all of them."""
    name = visit.path["package"]
    packages = await asyncio.to_thread(client_packages)  # the first time it packs them, some hundredths of a second
    if name == SUMS:
        return web.Response(body=sums().encode(), headers=PLAIN)
    package = packages.get(name)
    if package is None:
        return visit.page("not_found.html", 404)
    named = {"Content-Type": package.content_type, "Content-Disposition": f'attachment; filename="{package.name}"'}
    return web.Response(body=package.body, headers={**HEADERS, **named})


async def show_page_of(name: str, _: Visit) -> web.StreamResponse:
    """Lead from the address of what stands below a page to the page, wherever the hub's own address begins."""
    return web.Response(status=308, headers={**HEADERS, "Location": f"../{name}"})


async def show_llms(visit: Visit) -> web.StreamResponse:
    """Show what there is to read, for programs."""
    site, root = await _site(visit), await visit.services.root()
    return web.Response(body=llms_text(root, groups(), site).encode(), headers=PLAIN)


async def show_all_for_programs(visit: Visit) -> web.StreamResponse:
    """Show all documents and the whole reference in one file, for programs."""
    site, root = await _site(visit), await visit.services.root()
    text = await asyncio.to_thread(llms_full_text, root, groups(), site)
    return web.Response(body=text.encode(), headers=PLAIN)


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
    usable = [key.key_id for key in keys if key.mode == "test" and key.revoked_at is None]
    return usable[-1] if usable else None


_sites: Final[dict[Descriptions, Site]] = {}
_indexes: Final[dict[Site, SearchIndex]] = {}


async def _made_once(made: dict[K, V], key: K, make: Callable[[K], V]) -> V:
    """Return what is made of a key; a thread makes it the first time, which takes a part of a second."""
    if key not in made:
        made[key] = await asyncio.to_thread(make, key)
    return made[key]


def _site_of(descriptions: Descriptions) -> Site:
    return site_of(describe(), {kind: orjson.loads(raw) for kind, raw in descriptions})


async def _site(visit: Visit) -> Site:
    return await _made_once(_sites, tuple(visit.services.descriptions.items()), _site_of)


@frozen
class _Reader:
    """What the body of a page depends on, beside its address."""

    key_id: str
    root: str
    is_stranger: bool


_bodies: Final[dict[tuple[Site, str, _Reader], Markup]] = {}
"""Bodies of pages, the oldest first: making one takes up to 0.1 s, and it is the same until the process ends."""


async def _page(visit: Visit, template: str, title: str, site: Site, **subject: Any) -> web.Response:
    """Return a page whose body is made once for its address and such a reader, in a thread."""
    reader = await _reader(visit)
    key = (site, visit.address, reader)
    body = _bodies.get(key)
    if body is None:
        body = await asyncio.to_thread(_body, template, visit.address, reader, site, subject)
        if len(_bodies) >= MOST_BODIES:
            _bodies.pop(next(iter(_bodies)), None)
        _bodies[key] = body
    return _shown(visit, title, body)


async def _reader(visit: Visit) -> _Reader:
    return _Reader(await own_test_key(visit) or NO_KEY, await visit.services.root(), visit.session is None)


def _body(template: str, address: str, reader: _Reader, site: Site, subject: Mapping[str, Any]) -> Markup:
    """Return what a page has between the hub's header and its end."""
    html = render_text(
        template,
        here=address,
        site=site,
        menu=groups(),
        languages=LANGUAGES,
        calls=lambda operation: partial(call_html, operation),
        programs=lambda operation: partial(program_html, operation),
        token_call_html=token_call_html,
        client_packages=client_packages,
        signer_html=signer_html,
        code_html=code_html,
        html_of=html_of,
        prose=prose,
        key_id=reader.key_id,
        base=f"{reader.root}/api",
        root=reader.root,
        is_stranger=reader.is_stranger,
        **subject,
    )
    return Markup(html)  # noqa: S704 - a template escaped it


def _shown(visit: Visit, title: str, body: Markup) -> web.Response:
    """Return a page around its body; a stranger's may be kept and asked about, as nothing in it is of a session."""
    response = visit.page("docs/page.html", title=title, body=body)
    if visit.session is not None or not isinstance(response.body, bytes):
        return response
    tag = sha256(response.body).hexdigest()[:32]
    if tag in visit.known_tags:
        response.set_status(304)
        response.body = None
        del response.headers["Content-Type"]
    response.headers.update({"ETag": f'"{tag}"', "Cache-Control": "private, no-cache", "Vary": "Cookie"})
    return response
