"""The code of the documentation: every call in every language sends what the reference says, signed."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from attrs import field, frozen

from hub.app import Hub
from hub.clock import system_clock
from hub.docs_site.__main__ import with_programs
from hub.docs_site.documents import docs_folder
from hub.docs_site.reference import Operation
from hub.docs_site.snippets import LANGUAGES, call, program, signer
from hub.domain.signing import sign_v2
from hub.testing.clock import FakeClock
from tests.docs_site.first_call import seconds_to_first_call
from tests.docs_site.programs import is_installed, needs, run_code
from tests.openapi_documents import merchant_operations
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import ApiKey, new_key, new_merchant

OPERATIONS = merchant_operations()
NAMES = [each.name for each in LANGUAGES]
DEAR = {"curl", "go", "javascript"}
"""Whose many processes, compiler or start take a second: they are asked in `make prove`."""
SECRET = "sec_test_recorder"
GUIDE = (docs_folder() / "api.md").read_text("utf-8")


@frozen
class Recorder:
    """A server that notes what it is sent, and whether it was signed."""

    url: str
    received: list[Mapping[str, Any]] = field(factory=list)


@pytest.fixture
async def recorder() -> AsyncIterator[Recorder]:
    received: list[Mapping[str, Any]] = []

    async def note(request: web.BaseRequest) -> web.Response:
        raw, headers = await request.read(), request.headers
        parts = (headers["X-Timestamp"], headers["X-Nonce"], request.method, request.raw_path, raw)
        version, signature = headers["X-Signature-Version"], sign_v2(SECRET.encode(), *parts)
        received.append(
            {
                "signed": (version, headers["X-Signature"]) == ("2", signature),
                "method": request.method,
                "target": request.path_qs,
                "body": raw.decode(),
                "headers": headers.copy(),
            }
        )
        return web.json_response({"taken": True})

    async with RawTestServer(note) as server:
        yield Recorder(str(server.make_url("")).rstrip("/"), received)


def all_calls(language: str) -> str:
    """A program that makes every call of the reference, one after the other."""
    calls = [call(each, language) for each in OPERATIONS]
    if language == "go":
        inner = (each.removeprefix("func main() {\n").removesuffix("\n}") for each in calls)
        return signer(language) + "\n\nfunc main() {\n" + "\n".join(inner) + "\n}\n"
    if language == "javascript":
        calls = [f"{{\n{each}\n}}" for each in calls]
    return "\n".join([signer(language), *calls])


def sent_body(operation: Operation, raw: str) -> Any:
    return raw if isinstance(operation.body, str | None) else json.loads(raw)


@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=pytest.mark.prove) if name in DEAR else name for name in NAMES]
)
async def test_every_call_sends_what_the_reference_says(language: str, recorder: Recorder, tmp_path: Path) -> None:
    needs(language)
    known = {"HUB_BASE_URL": recorder.url, "HUB_KEY": "ak_test_recorder", "HUB_SECRET": SECRET}
    await run_code(all_calls(language), language, tmp_path, known)
    assert len(recorder.received) == len(OPERATIONS) > 30
    for operation, seen in zip(OPERATIONS, recorder.received, strict=True):
        assert (seen["signed"], seen["method"], seen["target"]) == (True, operation.method, operation.target)
        assert sent_body(operation, seen["body"]) == (operation.body or ""), operation.name
        assert seen["headers"]["Content-Type"] == (operation.sent_type or "application/json")
        assert operation.header_examples.items() <= dict(seen["headers"]).items()
    nonces = [seen["headers"]["X-Nonce"] for seen in recorder.received]
    assert len(set(nonces)) == len(nonces)


async def test_control_the_recorder_sees_a_wrong_secret(recorder: Recorder, tmp_path: Path) -> None:
    known = {"HUB_BASE_URL": recorder.url, "HUB_KEY": "ak_test_recorder", "HUB_SECRET": "another"}
    await run_code(program(OPERATIONS[0], "python"), "python", tmp_path, known)
    assert [seen["signed"] for seen in recorder.received] == [False]


class TestFirstCall:
    """Against a real hub, by its own clock, with one key: as a reader pastes one language after the other.

    The key takes signatures of version 2 alone, as api.md recommends.
    """

    @pytest.fixture
    def clock(self) -> FakeClock:
        return FakeClock(system_clock())

    @pytest.fixture
    async def key(self, hub: Hub, clock: FakeClock) -> ApiKey:
        return await new_key(hub, clock, await new_merchant(hub, clock, approve=True), signature_version=2)

    @pytest.mark.prove
    async def test_programs_pasted_one_after_the_other_are_all_accepted(
        self, hub: Hub, key: ApiKey, tmp_path: Path
    ) -> None:
        """Twice over: the same order is answered alike, because all send the same bytes under the same key."""
        known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": key.key_id, "HUB_SECRET": key.secret}
        first = next(each for each in OPERATIONS if each.name == "reportConversion")
        languages = [name for name in NAMES if is_installed(name)]
        answers = [
            json.loads(await run_code(program(first, language), language, tmp_path, known))
            for language in (*languages, "python")
        ]
        assert len(answers) > 2
        assert answers[0]["status"] == "RECEIVED"
        assert answers == [answers[0]] * len(answers)

    async def test_the_guides_python_runs_from_the_top_to_the_end(self, hub: Hub, key: ApiKey, tmp_path: Path) -> None:
        known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": key.key_id, "HUB_SECRET": key.secret}
        pasted = "\n\n".join(re.findall(r"^```python\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))
        answers = [json.loads(line) for line in (await run_code(pasted, "python", tmp_path, known)).splitlines()]
        assert [answer["status"] for answer in answers] == ["RECEIVED", "RECEIVED"]


@pytest.mark.prove
async def test_one_paste_leads_from_the_key_to_the_202(hub: Hub, clock: FakeClock, tmp_path: Path) -> None:
    """The guide's figures are made by this function; here it has to come in a time that nobody would wait for."""
    clock.advance(system_clock() - clock())
    for language in filter(is_installed, NAMES):
        assert await seconds_to_first_call(hub, language, tmp_path) < PATIENCE_SECONDS
    figures = dict(re.findall(r"^\| (\w+) \| (\d+\.\d\d) s \|$", GUIDE, re.MULTILINE))
    assert {each.title for each in LANGUAGES} >= figures.keys() >= {"curl", "Python", "JavaScript", "PHP"}


def test_the_guide_has_the_programs_of_the_pages() -> None:
    """`python -m hub.docs_site` writes them."""
    assert with_programs(GUIDE) == GUIDE
    assert with_programs(GUIDE.replace("openssl dgst", "openssl rmd")) == GUIDE
