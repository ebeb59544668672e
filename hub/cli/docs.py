"""`hub docs`: the documentation as static files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import print_result, say


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--hub", "root", metavar="URL", default="", help="The hub that links out of the documentation lead to.")
@invoked
def docs(invocation: Invocation, folder: Path, root: str) -> None:
    """Write the documentation to a new folder, as static files.

    The same as under /docs: every document, the reference of all APIs, the clients' packages and the files for
    programs. Addresses are relative, so any web server may serve them under any path, and a browser may open them. The
    search is left out: it asks a hub.
    """
    import asyncio

    if folder.exists() and any(folder.iterdir()):
        raise Fault(f"{folder} is not empty: name a new folder.")
    root = root.rstrip("/")
    files = asyncio.run(_pages(root))
    try:
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise Fault(f"{error.filename} cannot be written: {error.strerror}.") from error
    document = {"folder": str(folder), "files": len(files), "bytes": sum(map(len, files.values()))}
    print_result(invocation, document, lambda: say(f"{len(files)} files are in {folder}; begin at docs/index.html."))


async def _pages(root: str) -> Mapping[str, bytes]:
    """Return every file by its name, as a hub of its own serves it; raise Fault if a link leads nowhere."""
    import aiohttp

    from hub.docs_site.static_pages import PROGRAMS, START, as_file, file_of, links_of

    files: dict[str, bytes] = {}
    with TemporaryDirectory() as place:
        async with _serving(Path(place), root) as url, aiohttp.ClientSession() as session:
            waiting = [START, *PROGRAMS]
            while waiting:
                path = waiting.pop()
                if file_of(path) in files:
                    continue
                async with session.get(url + path) as answer:
                    if answer.status != 200:
                        raise Fault(f"The documentation leads to {path}, which is not there.")
                    content = await answer.read()
                if answer.content_type in ("text/html", "text/css"):
                    text = content.decode()
                    waiting += links_of(text)
                    content = as_file(text, path, root).encode()
                files[file_of(path)] = content
    return dict(sorted(files.items()))


@asynccontextmanager
async def _serving(place: Path, root: str) -> AsyncIterator[str]:
    """Serve a hub of nothing but its documentation from a folder; yield its address."""
    from hub.app import running
    from hub.config.settings import load_settings

    public = {"HUB_SERVER_PUBLIC_URL": root} if root else {}
    given = {"HUB_DATABASE_URL": f"sqlite:///{place}/hub.db", "HUB_SERVER_PORT": "0", "HUB_WORKER_ENABLED": "false"}
    async with running(load_settings(None, {**given, **public})) as hub:
        yield hub.url
