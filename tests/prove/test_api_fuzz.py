"""A fuzzer that reads the OpenAPI document finds no fault of the hub's, and nothing that the document does not say.

Requests are made from the document, good ones and bad ones, signed over their bytes (`fuzz_signing`) and sent to a real
server process; the answers are compared with the document, which allows no member beyond those it names.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hub.merchant_api.v1 import ENDPOINTS
from tests.prove.shop import Server, database_in, hub
from tests.prove.turns import day

pytestmark = pytest.mark.prove

SECONDS = max(40, int(float(os.environ.get("PROVE_SECONDS", "30")) / 3))
KEYS = 6
UNLIMITED = {"HUB_LIMITS_IMPORT_PER_MINUTE": "0", "HUB_LIMITS_IMPORT_PER_HOUR": "0"}
ROOT = Path(__file__).parents[2]
SEEDS = count(day() * 100)
"""Of the runs: each has one of its own."""

CONFORMANCE = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "ignored_auth", "missing_required_header", "use_after_free",
)  # fmt: skip
BESIDE_THE_DOOR = tuple(check for check in CONFORMANCE if check != "ignored_auth")
"""What is checked once more where a run had too little time: five requests without a signature were refused before."""
STRICTNESS = ("negative_data_rejection",)
JUDGED_ITEM_BY_ITEM = ("importProducts", "upsertProducts", "uploadOrders", "uploadProducts", "uploadStatuses")
"""Operations that accept a payload with bad items and report them, which the fuzzer would call too lenient."""
READ_LATER = tuple(endpoint.operation for endpoint in ENDPOINTS if endpoint.tag == "webhooks")
"""Operations that take any object: the document says how the hub's own form looks, and platforms have others."""
REFUSED = ("createLink", "createSubscription")
"""Operations that no fuzzer carries out: an affiliate's id, or a type of event, cannot be guessed; 400 is right."""
REACHED = 5
"""How often each operation must have been carried out, more often than refused at the door."""
ANSWER_SECONDS = 45
"""The feed of changes may be asked to wait for 30."""
LEAST_ANSWERED = {"admin": 40, "affiliate": 12}
"""How many operations of an API for tokens must have been carried out."""
EXTRA_RUNS = 5
"""How often those that were not are fuzzed again, each time twice as long: a busy machine has time for few requests."""


def test_the_hub_answers_as_documented(tmp_path: Path) -> None:
    """No 5xx, no undocumented status, header or member; and what the document forbids is refused."""
    database = database_in(tmp_path)
    hub(database, "migrate")
    keys = _keys(database)
    server = Server(database, environment=UNLIMITED)
    server.start()
    try:
        strict = _strict_document(server, tmp_path)
        said = _fuzz(server, strict, keys, CONFORMANCE, seconds=SECONDS * 2 // 3)
        said += _fuzz(server, strict, keys, STRICTNESS, seconds=SECONDS // 3, without=JUDGED_ITEM_BY_ITEM + READ_LATER)
        for run in range(EXTRA_RUNS):
            if missing := _not_carried_out(_counts(server), strict):
                said += _fuzz(server, strict, keys, BESIDE_THE_DOOR, seconds=SECONDS // 3 << run, only=missing)
        counts = _counts(server)
        missing = _not_carried_out(counts, strict)
    finally:
        assert server.stop() == 0
    print(said)
    print(json.dumps(counts, indent=1))
    assert missing == [], "requests that all fail at the door would pass every check"
    assert _faults(counts) == []
    assert hub(database, "audit")["violations"] == []


def test_the_proof_catches_an_undocumented_answer(tmp_path: Path) -> None:
    """The control: with a member missing from the document, the same run fails and names it."""
    database = database_in(tmp_path)
    hub(database, "migrate")
    server = Server(database, environment=UNLIMITED)
    server.start()
    try:
        strict = _strict_document(server, tmp_path)
        document = json.loads(strict.read_text())
        page = document["components"]["schemas"]["CampaignList"]
        del page["properties"]["total"]
        page["required"].remove("total")
        strict.write_text(json.dumps(document))
        with pytest.raises(AssertionError, match="'total' was unexpected"):
            _fuzz(server, strict, _keys(database), CONFORMANCE, seconds=8, only=["listCampaigns"])
    finally:
        server.stop()


@pytest.mark.parametrize("kind", ["admin", "affiliate"])
def test_the_token_apis_answer_as_documented(tmp_path: Path, kind: str) -> None:
    """The same of the operators' and the affiliates' APIs, by a token that may write, in a hub with a shop's world."""
    database = database_in(tmp_path)
    hub(database, "migrate")
    _keys(database)
    affiliate = hub(database, "affiliate", "create", "--name", "Anna", "--email", "anna@blog.example")["id"]
    holder = ("--affiliate", affiliate) if kind == "affiliate" else ()
    token = hub(database, "token", "create", "--name", "fuzz", "--scope", f"{kind}:write", *holder)["token"]
    server = Server(database, environment=UNLIMITED)
    server.start()
    try:
        strict = _strict_document(server, tmp_path, f"/api/{kind}/v1")
        said = ""
        for run in range(EXTRA_RUNS):
            if len(_answered_well(server, kind)) < LEAST_ANSWERED[kind]:
                long = SECONDS << run
                said += _fuzz(server, strict, [], CONFORMANCE, seconds=long, root=f"/api/{kind}/v1", token=token)
        assert "failed" not in said, said
        assert not _faults(_counts(server))
        assert len(carried := _answered_well(server, kind)) >= LEAST_ANSWERED[kind], carried
    finally:
        server.stop()


def _answered_well(server: Server, kind: str) -> list[str]:
    """The routes of an API for tokens that were carried out, once at least."""
    return [route for route, found in _counts(server).items() if f"/{kind}/v1" in route and "200" in found]


def _keys(database: str) -> list[tuple[str, str]]:
    """Several keys of one test account: each can sign the same bytes anew."""
    merchant = hub(
        database, "merchant", "create", "--name", "Shop", "--email", "shop@shop.example", "--domain", "shop.example",
        "--approve",
    )  # fmt: skip
    issued = [hub(database, "key", "create", "--merchant", merchant["id"], "--mode", "test") for _ in range(KEYS)]
    return [(key["keyId"], key["signingSecret"]) for key in issued]


def _fuzz(
    server: Server,
    document: Path,
    keys: list[tuple[str, str]],
    checks: Sequence[str],
    *,
    seconds: int,
    without: Sequence[str] = (),
    only: Sequence[str] = (),
    root: str = "/api",
    token: str | None = None,
) -> str:
    """Fuzz what a document says; requests are signed with the keys, or have the token."""
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", document.name, "--url", f"{server.base_url}{root}",
        "--request-timeout", str(ANSWER_SECONDS),
        "--max-time", str(seconds), "--seed", str(next(SEEDS)), "--checks", ",".join(checks), "--no-color",
        "--continue-on-failure", "--generation-with-security-parameters", "false", "--generation-database", "none",
        "--warnings", "off",
        *(f"--exclude-operation-id={name}" for name in without), *(f"--include-operation-id={name}" for name in only),
        *(["--phases", "examples,coverage,fuzzing"] if only else []),  # the fourth needs operations that link to others
    ]  # fmt: skip
    known = {"PYTHONPATH": str(ROOT)}
    if token is None:
        known |= {"HUB_TEST_KEYS": json.dumps(keys), "SCHEMATHESIS_HOOKS": "tests.prove.fuzz_signing"}
    else:
        command += ["-H", f"Authorization: Bearer {token}"]
    environment = {**os.environ, **known}
    done = subprocess.run(
        command,
        cwd=document.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds + 600,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout


def _strict_document(server: Server, folder: Path, root: str = "/api/v1") -> Path:
    """The document as served, but that answers may have no member beyond those it names.

    The optional headers of the signature are left out, as the other three are not parameters: the signer chooses them.
    """
    with urllib.request.urlopen(f"{server.base_url}{root}/openapi.json") as response:
        document = json.load(response)
    for name, schema in document["components"]["schemas"].items():
        if not name.endswith(("Input", "Patch", "Payload", "Webhook", "WebhookLine", "Body")):
            _close(schema)
    signed = [{"$ref": f"#/components/parameters/{name}"} for name in ("Nonce", "SignatureVersion")]
    for operation in (operation for path in document["paths"].values() for operation in path.values()):
        operation["parameters"] = [each for each in operation["parameters"] if each not in signed]
    path = folder / "openapi.json"
    path.write_text(json.dumps(document))
    return path


def _close(schema: dict[str, Any]) -> None:
    if "properties" in schema:
        schema["additionalProperties"] = False
        for member in schema["properties"].values():
            _close(member)


def _counts(server: Server) -> dict[str, dict[str, int]]:
    """Answers by route and status."""
    with urllib.request.urlopen(f"{server.base_url}/metrics") as response:
        exposition = response.read().decode()
    counts: dict[str, dict[str, int]] = {}
    pattern = r'^hub_requests_total\{route="(.*?)",status="(\d+)"\} (\S+)$'
    for route, status, times in re.findall(pattern, exposition, re.MULTILINE):
        counts.setdefault(route, {})[status] = int(float(times))
    return counts


def _not_carried_out(counts: dict[str, dict[str, int]], document: Path) -> list[str]:
    """The ids of the operations that got past the door too rarely."""
    paths = json.loads(document.read_text())["paths"]
    found = []
    for endpoint in ENDPOINTS:
        statuses = counts.get(endpoint.route, {})
        right = "400" if endpoint.operation in REFUSED else str(endpoint.success) if "{" not in endpoint.path else "404"
        reached = statuses.get(right, 0)
        if reached <= REACHED or statuses.get("401", 0) >= sum(statuses.values()) / 4:
            found.append(paths[endpoint.path][endpoint.method.lower()]["operationId"])
    return found


def _faults(counts: dict[str, dict[str, int]]) -> list[str]:
    """The routes that answered with a fault of the server."""
    return [route for route, statuses in counts.items() if statuses.keys() & {"500", "503"}]
