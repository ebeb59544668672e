"""`python -m tests.docs_site.first_call`: measure the first call in each language, and write that into docs/api.md.

What is measured is one paste: the program starts, signs, sends, and has its 202. Making the key is part of it, too.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from hub.app import Hub
from hub.clock import system_clock
from hub.docs_site.documents import docs_folder
from hub.docs_site.snippets import LANGUAGES, program
from tests.docs_site.programs import is_installed, run_code
from tests.openapi_documents import merchant_operations
from tests.served_hub import new_key, new_merchant, served

RUNS: Final = 5
FIRST: Final = next(each for each in merchant_operations() if each.name == "reportConversion")
HEADING: Final = "| language | from the key to the 202 |\n|---|---|\n"


async def seconds_to_first_call(hub: Hub, language: str, folder: Path) -> float:
    """Make a key and run the program of a language with it; return how long both took."""
    merchant_id = await new_merchant(hub, system_clock, approve=True)
    began = perf_counter()
    key = await new_key(hub, system_clock, merchant_id)
    known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": key.key_id, "HUB_SECRET": key.secret}
    answer = await run_code(program(FIRST, language), language, folder, known)
    took = perf_counter() - began
    assert json.loads(answer)["status"] == "RECEIVED"
    return took


async def measured() -> dict[str, float]:
    """Return the median of some runs for each language that is installed, in seconds, by its title."""
    with TemporaryDirectory() as folder:
        async with served(f"sqlite:///{folder}/hub.db", system_clock) as hub:
            return {
                each.title: median([await seconds_to_first_call(hub, each.name, Path(folder)) for _ in range(RUNS)])
                for each in LANGUAGES
                if is_installed(each.name)
            }


def with_figures(guide: str, figures: dict[str, float]) -> str:
    """Return the guide with these figures in its table."""
    rows = "".join(f"| {title} | {seconds:.2f} s |\n" for title, seconds in figures.items())
    return re.sub(re.escape(HEADING) + r"(\|.*\n)*", HEADING + rows, guide)


if __name__ == "__main__":
    file = docs_folder() / "api.md"
    file.write_text(with_figures(file.read_text("utf-8"), asyncio.run(measured())), "utf-8")
