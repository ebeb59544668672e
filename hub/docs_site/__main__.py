"""`python -m hub.docs_site`: write the programs of the first call into the checkout's docs/api.md."""

from __future__ import annotations

import re
from typing import Final

from hub.docs_site.documents import docs_folder
from hub.docs_site.reference import groups_of
from hub.docs_site.snippets import LANGUAGES, program
from hub.merchant_api.openapi.document import describe

FIRST: Final = "reportConversion"
FENCES: Final = {"curl": "sh", "python": "python", "javascript": "js", "php": "php", "go": "go", "ruby": "ruby"}
HEADING: Final = "## Your first order\n"
INTRODUCTION: Final = "The same call in six languages: it signs an order, sends it and prints the answer."
END: Final = "\nThe answer is `202`:"


def with_programs(guide: str) -> str:
    """Return the guide with the programs of the first call as they are now."""
    operations = {each.name: each for group in groups_of(describe()) for each in group.operations}
    shown = "\n".join(
        f"### {each.title}\n\n```{FENCES[each.name]}\n{program(operations[FIRST], each.name)}\n```\n"
        for each in LANGUAGES
    )
    pattern = re.escape(HEADING) + ".*?(?=" + re.escape(END) + ")"
    return re.sub(pattern, lambda _: f"{HEADING}\n{INTRODUCTION}\n\n{shown}", guide, flags=re.DOTALL)


if __name__ == "__main__":
    file = docs_folder() / "api.md"
    file.write_text(with_programs(file.read_text("utf-8")), "utf-8")
