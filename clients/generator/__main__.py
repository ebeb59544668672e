"""`python -m clients.generator`: write the generated files of the clients anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from clients.generator import csharp, go, php, python, typescript
from clients.generator.collections import collection_files
from clients.generator.model import components, operations
from hub.docs_site.reference import groups_of
from hub.merchant_api.openapi.document import describe

CLIENTS: Final = Path(__file__).resolve().parents[1]
PYTHON: Final = "python/affiliate_hub_client"


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
        **{f"collections/{name}": text for name, text in collection_files(groups_of(document)).items()},
    }


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
