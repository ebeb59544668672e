"""`python -m clients.generator`: write the generated files of the clients anew."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from clients.generator import csharp, go, php, python, typescript
from clients.generator.collections import collection_files
from clients.generator.model import components, operations
from hub.acts.act import Act
from hub.docs_site.reference import groups_of
from hub.merchant_api.openapi.document import describe
from hub.token_api.document import describe as describe_acts
from hub.token_api.routes import APIS

CLIENTS: Final = Path(__file__).resolve().parents[1]
PYTHON: Final = "python/affiliate_hub_client"
API: Final = "/api"
"""What the clients' base address ends with."""
HOLDERS: Final = {"admin": "operators", "affiliate": "affiliates"}
"""Whose the APIs for tokens are, by their kinds."""


def generated() -> dict[str, str]:
    """Return the generated files by their paths in clients/, with Python before it is formatted."""
    document = describe()
    parts, calls = components(document), operations(document)
    return {
        f"{PYTHON}/models.py": python.types_file(parts),
        f"{PYTHON}/operations.py": python.methods_file(calls),
        "typescript/src/operations.js": typescript.table_file(calls),
        "typescript/src/types.d.ts": typescript.types_file(parts, calls),
        "go/types.go": go.types_file(parts),
        "go/operations.go": go.methods_file(calls),
        "csharp/src/Models.cs": csharp.types_file(parts),
        "csharp/src/Operations.cs": csharp.methods_file(parts, calls),
        "php/src/Operations.php": php.operations_file(parts, calls),
        **{path: text for root, (kind, acts) in APIS.items() for path, text in _of_tokens(root, kind, acts)},
        **{f"collections/{name}": text for name, text in collection_files(groups_of(document)).items()},
    }


def _of_tokens(root: str, kind: str, acts: tuple[Act, ...]) -> Iterator[tuple[str, str]]:
    """Yield the files of an API for tokens, whose types and operations stand apart from those of the merchants' API."""
    document, holders = describe_acts(kind, root, acts), HOLDERS[kind]
    parts, calls = components(document), operations(document, root.removeprefix(API))
    yield f"{PYTHON}/{holders}_models.py", python.types_file(parts)
    yield f"{PYTHON}/{holders}_operations.py", python.methods_file(calls, holders)
    yield f"typescript/src/{holders}/operations.js", typescript.table_file(calls)
    yield f"typescript/src/{holders}/types.d.ts", typescript.types_file(parts, calls, of_tokens=True)
    yield f"php/src/{holders.title()}Operations.php", php.operations_file(parts, calls, holders)


def formatted(text: str) -> str:
    """Return Python as `ruff format` writes it, by the repository's settings."""
    ruff = str(Path(sys.executable).with_name("ruff"))
    command = [ruff, "format", "--stdin-filename", str(CLIENTS / PYTHON / "models.py"), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)  # noqa: S603 - our own tool
    return done.stdout


def fresh_files() -> dict[str, str]:
    """Return the generated files as they are in the repository if it is up to date."""
    return {path: formatted(text) if path.endswith(".py") else text for path, text in generated().items()}


if __name__ == "__main__":
    for path, text in fresh_files().items():
        (CLIENTS / path).parent.mkdir(parents=True, exist_ok=True)
        (CLIENTS / path).write_text(text, "utf-8")
