"""The signers and the scripts of the collections, against the vectors that the clients' suites share."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from clients.generator.__main__ import CLIENTS
from hub.domain.signing import sign, sign_v2

VECTORS: Final = json.loads((CLIENTS / "vectors.json").read_text("utf-8"))["requests"]
SIGNERS: Final = {
    "Go": ("go", "run", "sign.go"),
    "Ruby": ("ruby", "sign.rb"),
    "Java": ("java", "Sign.java"),
    "C#": ("dotnet", "run", "--"),
}
POSTMAN: Final = CLIENTS / "collections/affiliate-hub.postman_collection.json"
BRUNO: Final = CLIENTS / "collections/bruno"

# What Postman and Bruno give a script, as far as the scripts of the collections use it.
HARNESS: Final = """
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const { tool, script, body, key, secret } = JSON.parse(readFileSync(0, "utf-8"));
const base = "https://hub.example/sub/api";
const CryptoJS = {
  SHA256: (text) => ({ toString: () => createHash("sha256").update(text).digest("hex") }),
  HmacSHA256: (text, secret) => ({ toString: () => createHmac("sha256", secret).update(text).digest("hex") }),
  enc: { Hex: {} },
};
const variables = { hubKey: key, hubSecret: secret };
const headers = {};
const kept = { upsert: (each) => { headers[each.key] = each.value; } };
const filled = (text) => text.replace("{{baseUrl}}", base);
const asked = { method: "PATCH", url: { getPathWithQuery: () => "/v1/products/SKU%2F1?q=ü" } };
const request = { ...asked, body: body === "" ? undefined : { raw: body }, headers: kept };
const pm = { request, variables: { get: (name) => variables[name], replaceIn: filled } };
const req = {
  getMethod: () => "PATCH",
  getUrl: () => "{{baseUrl}}/v1/products/:id?q=ü",
  getPathParams: () => [{ name: "id", value: "SKU/1" }],
  setUrl: (url) => { if (url !== `${base}/v1/products/SKU%2F1?q=ü`) throw new Error(url); },
  getBody: ({ raw }) => (body === "" || !raw ? undefined : body),
  setHeader: (name, value) => { headers[name] = value; },
};
const bru = { getEnvVar: (name) => variables[name], interpolate: filled };
new Function("require", "pm", "req", "bru", script)(() => CryptoJS, tool === "Postman" ? pm : undefined, req, bru);
console.log(JSON.stringify(headers));
"""


def test_the_vectors_are_what_the_hub_computes() -> None:
    for each in VECTORS:
        raw = each["body"].encode()
        secret, timestamp, nonce = each["secret"].encode(), each["timestamp"], each["nonce"]
        assert sign(secret, timestamp, raw, nonce) == each["signature"]
        assert sign_v2(secret, timestamp, nonce, each["method"], each["target"], raw) == each["signatureV2"]


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=pytest.mark.prove) if each in ("Java", "Go", "C#") else each for each in SIGNERS],
)
def test_the_signer_computes_the_vectors(language: str) -> None:
    command = SIGNERS[language]
    if shutil.which(command[0]) is None:
        pytest.skip(f"the signer in {language} was not run: {command[0]} is not installed")
    for each in VECTORS:
        given = [each[name] for name in ("secret", "timestamp", "nonce", "method", "target", "body")]
        done = subprocess.run(
            [*command, *given], cwd=CLIENTS / "signers", capture_output=True, text=True, check=False, timeout=300
        )
        assert (done.returncode, done.stdout.strip()) == (0, each["signatureV2"]), done.stderr


@pytest.mark.parametrize("file", sorted((CLIENTS / "signers").glob("[sS]ign.[a-z][a-z]*")), ids=lambda file: file.name)
def test_a_signer_has_at_most_25_lines(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= 25


def script_of(tool: str) -> str:
    if tool == "Postman":
        (event,) = json.loads(POSTMAN.read_text("utf-8"))["event"]
        return "\n".join(event["script"]["exec"])
    text = (BRUNO / "collection.bru").read_text("utf-8")
    return text.removeprefix("script:pre-request {\n").removesuffix("}\n")


@pytest.mark.parametrize("tool", ["Postman", "Bruno"])
def test_the_script_of_the_collection_signs_with_a_new_nonce(tool: str) -> None:
    if shutil.which("node") is None:
        pytest.skip(f"the script of the {tool} collection was not run: node is not installed")
    nonces = set()
    for body in (VECTORS[0]["body"], VECTORS[0]["body"], "", VECTORS[2]["body"]):
        asked = {"tool": tool, "script": script_of(tool), "body": body, "key": "ak_test_1", "secret": "sec_test_1"}
        headers = headers_from(asked)
        target = "/sub/api/v1/products/SKU%2F1?q=%C3%BC"
        parts = (headers["X-Timestamp"], headers["X-Nonce"], "PATCH", target, body.encode())
        signature = sign_v2(b"sec_test_1", *parts)
        assert (headers["X-API-Key"], headers["X-Signature"]) == ("ak_test_1", signature)
        assert headers["X-Signature-Version"] == "2"
        nonces.add(headers["X-Nonce"])
    assert len(nonces) == 4


def headers_from(asked: dict[str, Any]) -> dict[str, str]:
    command = ["node", "--input-type=module", "--eval", HARNESS]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    headers: dict[str, str] = json.loads(done.stdout)
    return headers


def test_both_collections_have_every_operation() -> None:
    described = json.loads((CLIENTS.parent / "docs/openapi.json").read_text("utf-8"))
    names = {each["operationId"] for methods in described["paths"].values() for each in methods.values()}
    assert {file.stem for file in BRUNO.glob("*/*.bru")} - {"hub"} == names
    folders = json.loads(POSTMAN.read_text("utf-8"))["item"]
    assert sum(len(folder["item"]) for folder in folders) == len(names)
