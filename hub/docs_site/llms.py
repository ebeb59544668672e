"""llms.txt: what there is to read here, for programs that read for their users (llmstxt.org)."""

from __future__ import annotations

from collections.abc import Mapping

from hub.docs_site.documents import Document
from hub.docs_site.reference import Group

INTRODUCTION = (
    "An open, self-hosted affiliate hub: stores report orders over a signed API, the hub decides which affiliate "
    "earned what, and can always say why. Each document below is Markdown."
)


def llms_text(root: str, documents: Mapping[str, tuple[Document, ...]], groups: Mapping[str, Group]) -> str:
    """Return the file; `root` is the hub's public address, empty for addresses of this hub."""
    lines = ["# Affiliate hub", "", f"> {INTRODUCTION}", "", "## API", ""]
    lines.append(f"- [OpenAPI document]({root}/api/v1/openapi.json): every operation, field and answer of the API")
    lines += [
        f"- [{group.title}]({root}{group.address}): {', '.join(each.summary for each in group.operations)}"
        for group in groups.values()
    ]
    for title, members in documents.items():
        lines += ["", f"## {title}", ""]
        lines += [f"- [{each.title}]({root}/docs/{each.name}.md): {each.summary}" for each in members]
    return "\n".join(lines) + "\n"
