"""llms.txt and llms-full.txt: what there is to read here, for programs that read for their users (llmstxt.org)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hub.docs_site.documents import Document
from hub.docs_site.reference import Group
from hub.docs_site.reference_markdown import group_markdown
from hub.docs_site.site import Site

INTRODUCTION = (
    "An open, self-hosted affiliate hub: stores report orders over a signed API, the hub decides which affiliate "
    "earned what, and can always say why. What is linked below is Markdown, but for the OpenAPI documents, which are "
    "JSON."
)
API_ROOT = "/api"


def llms_text(root: str, documents: Mapping[str, tuple[Document, ...]], site: Site) -> str:
    """Return the file; `root` is the hub's public address, empty for addresses of this hub."""
    lines = ["# Affiliate hub", "", f"> {INTRODUCTION}", "", f"- [All of it in one file]({root}/llms-full.txt)"]
    lines += ["", "## Merchant API", ""]
    lines += _api(root, f"{root}{API_ROOT}/v1/openapi.json", site.groups)
    for each in site.token_apis.values():
        lines += ["", f"## {each.title}", ""]
        lines += _api(root, f"{root}{API_ROOT}/{each.kind}/v1/openapi.json", each.groups)
    for title, members in documents.items():
        lines += ["", f"## {title}", ""]
        lines += [f"- [{each.title}]({root}/docs/{each.name}.md): {each.summary}" for each in members]
    return "\n".join(lines) + "\n"


def _api(root: str, description: str, groups: Mapping[str, Group]) -> Iterator[str]:
    yield f"- [OpenAPI document]({description}): every operation, field and answer, as JSON"
    one = f"{description.removesuffix('.json')}/GROUP.json"
    yield f"- An OpenAPI document of each group of operations: `{one}`, with GROUP from the addresses below"
    for group in groups.values():
        summaries = ", ".join(each.summary for each in group.operations)
        yield f"- [{group.title}]({root}{group.address}.md): {summaries}"


def llms_full_text(root: str, documents: Mapping[str, tuple[Document, ...]], site: Site) -> str:
    """Return all that `llms_text` lists, the documents first; `root` as there."""
    parts = [each.source for members in documents.values() for each in members]
    parts += [group_markdown(group, f"{root}{API_ROOT}") for group in site.groups.values()]
    parts += [group_markdown(group, each.root) for each in site.token_apis.values() for group in each.groups.values()]
    return "\n\n".join(part.strip() for part in parts) + "\n"
