"""Four generators make whole clients of the OpenAPI documents, without a warning, and what they make is typed well.

They are installed from their registries at the test's own hands; without these it is skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hub.merchant_api.openapi.document import describe
from hub.token_api.document import describe as describe_acts
from hub.token_api.routes import APIS
from tests.openapi_documents import KINDS

pytestmark = pytest.mark.prove

PYTHON_TOOLS = ("openapi-python-client==0.29.1", "ruff==0.14.6", "mypy==1.18.2")
OWN = Path(__file__).parents[2] / "clients/typescript"
NODE_TOOLS = ("openapi-typescript@7.13.0", "@hey-api/openapi-ts@0.95.0", "typescript@5.9.3", "@types/node@20", str(OWN))
JAVA_TOOLS = ("openapi-generator-cli==7.26.0",)
"""The generator with its jar; the npm package of its name would fetch that at its first start."""
MADE_NEEDS = ("urllib3>=2.7.0,<3", "python_dateutil>=2.8.2", "pydantic>=2.11", "typing-extensions>=4.7.1")
"""What the Python client that it makes says that it needs."""
KEPT = Path(os.environ.get("HUB_GENERATORS", "")) if os.environ.get("HUB_GENERATORS") else None
"""A folder in which the tools stay between runs; without it they are installed once for a run."""


def run(*command: str | Path, cwd: Path, path: Path | None = None) -> str:
    """What a command prints; it fails with all of it."""
    environment = {**os.environ, "NO_COLOR": "1"}
    if path is not None:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return re.sub(r"\x1b\[[0-9;]*m", "", said)


def installed(folder: Path, marker: str, *commands: tuple[str | Path, ...]) -> Path:
    """A folder in which the commands were run; the test is skipped if one fails, as without a registry."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / marker).exists():
        for command in commands:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=600, check=False)
            if done.returncode != 0:
                pytest.skip(f"the generators cannot be installed here: {done.stderr[-300:]!r}")
    return folder


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return KEPT or tmp_path_factory.mktemp("generators")


def described(kind: str) -> dict[str, Any]:
    if kind == "merchant":
        return describe(server="https://hub.example/api")
    return next(
        describe_acts(kind, f"https://hub.example{root}", acts) for root, (each, acts) in APIS.items() if each == kind
    )


@pytest.fixture(params=KINDS)
def document(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(described(request.param)))
    return path


def test_a_python_client_is_whole(document: Path, tools: Path, tmp_path: Path) -> None:
    """Every operation has its function, nothing is left out, and the client passes a strict type checker."""
    folder = installed(
        tools / "python", "bin/openapi-python-client",
        (sys.executable, "-m", "venv", "."), ("bin/pip", "install", "-q", *PYTHON_TOOLS),
    )  # fmt: skip
    said = run(
        folder / "bin" / "openapi-python-client", "generate", "--path", document, "--output-path", "made/hub_client",
        "--meta", "none", cwd=tmp_path, path=folder / "bin",
    )  # fmt: skip
    assert "WARNING" not in said.upper(), said
    made = {each.stem for each in (tmp_path / "made" / "hub_client" / "api").rglob("*.py")} - {"__init__"}
    assert made == {snake(each) for each in operation_ids(document)}
    assert not [each.name for each in (tmp_path / "made").rglob("*_type_[1-9]*.py")], (
        "a closed set written more than once"
    )
    run(folder / "bin" / "mypy", "--ignore-missing-imports", "hub_client", cwd=tmp_path / "made")


def test_typescript_clients_are_whole(document: Path, tools: Path) -> None:
    """The types and the client that two generators make compile under `strict`."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm")
    folder = installed(
        tools / "node", "node_modules/.bin/tsc",
        ("npm", "init", "-y"), ("npm", "install", "--no-audit", "--no-fund", *NODE_TOOLS),
    )  # fmt: skip
    commands = folder / "node_modules" / ".bin"
    types, client = folder / "types.d.ts", folder / "client"
    said = run(commands / "openapi-typescript", document, "-o", types, cwd=folder)
    said += run(commands / "openapi-ts", "-i", document, "-o", client, cwd=folder)
    assert "warn" not in said.lower(), said
    methods = set(re.findall(r"export const (\w+) =", (client / "sdk.gen.ts").read_text()))
    assert methods == operation_ids(document)
    run(
        commands / "tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext",
        "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", types, client / "index.ts", cwd=folder,
    )  # fmt: skip


PROGRAM = """
import { createServer } from "node:http";
import { Hub, type WebhookMessage, verifyWebhook } from "affiliate-hub-client";
import { AffiliatesHub } from "affiliate-hub-client/affiliates";
import { type ListedAffiliate, OperatorsHub } from "affiliate-hub-client/operators";

createServer(async (request, response) => {
  const message: WebhookMessage = await verifyWebhook("whsec_x", request.headers, "{}");
  if (message.type === "commission.payable") console.log(message.data.amount.toUpperCase());
  // @ts-expect-error there is no such message
  if (message.type === "commission.lost") response.destroy();
  response.end();
});
await verifyWebhook("whsec_x", new Headers(), "{}");
const baseUrl = "https://hub.example/api";
const hub = new Hub({ baseUrl, key: "ak_test_x", secret: "sec_x" });
const bearer = new Hub({ baseUrl, token: "tok_x" });
// @ts-expect-error a key has a secret
new Hub({ baseUrl, key: "ak_test_x" });
for await (const each of new OperatorsHub({ baseUrl, token: "tok_x" }).iterateAffiliates()) {
  const affiliate: ListedAffiliate = each;
  // @ts-expect-error it has no such member
  console.log(affiliate.id, affiliate.nothing);
}
for await (const part of AffiliatesHub.fromEnvironment().followChanges({ wait: 0 })) console.log(part.cursor);
for await (const part of bearer.followChanges()) console.log(part.data.length, hub);
"""


def test_our_own_declarations_take_what_node_gives(tools: Path, tmp_path: Path) -> None:
    """A server's headers, messages by type, and the clients of all APIs; each with a control."""
    if shutil.which("npm") is None:
        pytest.skip("our declarations were not compiled: there is no npm")
    folder = installed(
        tools / "node", "node_modules/@types/node",
        ("npm", "init", "-y"), ("npm", "install", "--no-audit", "--no-fund", *NODE_TOOLS),
    )  # fmt: skip
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    (tmp_path / "program.ts").write_text(PROGRAM)
    run(
        folder / "node_modules/.bin/tsc", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022",
        "--module", "esnext", "--moduleResolution", "bundler", "--types", "node", "program.ts",
        cwd=tmp_path,
    )  # fmt: skip


def generated(generator: str, document: Path, tools: Path, tmp_path: Path) -> tuple[Path, Path]:
    """What openapi-generator makes, with its own validation of the document on; and the folder of its tools."""
    if shutil.which("java") is None:
        pytest.skip("openapi-generator was not tried: there is no java")
    folder = installed(
        tools / "java", "bin/openapi-generator-cli", (sys.executable, "-m", "venv", "."),
        ("bin/pip", "install", "-q", *JAVA_TOOLS, *MADE_NEEDS),
    )  # fmt: skip
    (jar,) = folder.glob("lib/*/site-packages/openapi_generator_cli/openapi-generator.jar")
    made = tmp_path / "made"
    run("java", "-jar", jar, "generate", "-g", generator, "-i", document, "-o", made, cwd=tmp_path)
    return made, folder


def test_openapi_generator_makes_a_python_client_that_imports(document: Path, tools: Path, tmp_path: Path) -> None:
    made, folder = generated("python", document, tools, tmp_path)
    modules = [".".join(each.relative_to(made).with_suffix("").parts) for each in made.glob("openapi_client/*/*.py")]
    assert len(modules) > 20
    run(folder / "bin" / "python", "-c", "\n".join(f"import {each}" for each in modules), cwd=made)
    methods = set(re.findall(r"    def (\w+)\(", "".join(each.read_text() for each in made.glob("*/api/*.py"))))
    assert {snake(each) for each in operation_ids(document)} <= methods


def test_openapi_generator_makes_a_typescript_client_that_compiles(document: Path, tools: Path, tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("what openapi-generator makes for TypeScript was not compiled: there is no npm")
    made, _ = generated("typescript-fetch", document, tools, tmp_path)
    folder = installed(
        tools / "node", "node_modules/.bin/tsc",
        ("npm", "init", "-y"), ("npm", "install", "--no-audit", "--no-fund", *NODE_TOOLS),
    )  # fmt: skip
    run(
        folder / "node_modules/.bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module",
        "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", made / "index.ts", cwd=folder,
    )  # fmt: skip


def test_openapi_generator_makes_a_php_client_that_parses(document: Path, tools: Path, tmp_path: Path) -> None:
    if shutil.which("php") is None:
        pytest.skip("what openapi-generator makes for PHP was not read: there is no php")
    made, _ = generated("php", document, tools, tmp_path)
    files = sorted(made.glob("lib/**/*.php"))
    assert len(files) > 20
    program = "foreach (array_slice($argv, 1) as $file) { token_get_all(file_get_contents($file), TOKEN_PARSE); }"
    run("php", "-r", program, "--", *files, cwd=made)


def operation_ids(document: Path) -> set[str]:
    paths = json.loads(document.read_text())["paths"].values()
    return {operation["operationId"] for methods in paths for operation in methods.values()}


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
