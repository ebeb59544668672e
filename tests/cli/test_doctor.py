"""`hub doctor`: each fault of an installation is named with its mend, and a sound one is told to be."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from hub.domain.troubles import anchor
from hub.domain.words import TROUBLE_KINDS
from hub.operations.audits import doctor
from hub.operations.audits.doctor import Finding, _postgresql, finding_document
from hub.operations.audits.outside import look_from_outside
from hub.operations.errors import OperatorFault
from hub.operations.system.installation import Answers, Layout, write_installation
from hub.storage.postgresql.facts import ServerFacts
from hub.testing.clock import NOON
from tests.cli.conftest import Operator
from tests.observability.test_troubles import Seeds
from tests.served_hub import installed_plugins
from tests.test_repository import ROOT

PUBLIC = {"HUB_SERVER_PUBLIC_URL": "https://hub.example.com", "HUB_TRUSTED_PROXIES": "127.0.0.1"}


@pytest.fixture
def plugins_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the doctor ask the installed plugins in this process: each of its calls would else start a plugin host."""
    monkeypatch.setattr(doctor, "plugin_host_for", lambda *_, **__: installed_plugins())


def findings(operator: Operator, *arguments: str, **environment: str) -> dict[tuple[str, str], str]:
    """What the doctor says, by part and state, after a command that made the database."""
    operator.merchant()
    result = operator.run("doctor", "--before-start", *arguments, "--json", **environment)
    found: list[dict[str, Any]] = json.loads(result.stdout)
    assert result.exit_code == (1 if any(each["state"] == "fault" for each in found) else 0)
    for each in found:
        name, _, section = (each["runbook"] or "operator").partition("#")
        document = (ROOT / f"docs/{name}.md").read_text("utf-8")
        assert not section or section.replace("-", " ") in document.lower().replace("-", " "), each
    return {(each["part"], each["state"]): each["sentence"] for each in found}


def test_a_sound_installation_is_told_to_be(either: Operator) -> None:
    found = findings(either, **PUBLIC)
    faults = [sentence for (_, state), sentence in found.items() if state == "fault"]
    assert [sentence for sentence in faults if not sentence.startswith("fsync is off")] == []  # tests' own servers
    assert {("schema", "ok"), ("master key", "ok"), ("plugins", "ok"), ("public address", "ok")} <= set(found)
    assert ("connections" in {part for part, _ in found}) == either.url.startswith("postgresql")


@pytest.mark.usefixtures("plugins_in_process")
def test_a_hub_that_was_never_begun_is_told_how_to_begin(tmp_path: Path) -> None:
    """Neither an update of what is not there, nor the way back, is its mend."""
    result = Operator(f"sqlite:///{tmp_path / 'hub.db'}").run("doctor", "--before-start", "--json")
    (found,) = [each for each in json.loads(result.stdout) if each["state"] == "fault"]
    assert (result.exit_code, found["part"], found["sentence"]) == (
        1, "database", f"There is no database {tmp_path / 'hub.db'}.",
    )  # fmt: skip
    assert found["mend"].startswith("`hub setup HOST` sets a hub up with one; `hub serve` makes one")


def test_setup_that_nobody_answers_says_the_command_that_asks_nothing(tmp_path: Path) -> None:
    result = Operator("sqlite:///none.db").run("setup", "--root", str(tmp_path))
    assert result.exit_code == 1
    assert "nothing was written. Say all of it: hub setup hub.example.com --mail none" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("plugins_in_process")
@pytest.mark.parametrize(
    ("option", "answer", "said"),
    [("--operator", "ada", "is not an e-mail address"), ("--database", "mysql://h/hub", "A database is sqlite, or"),
     ("--mail", "smtp://mail.example:x", "A mail server is written as"),
     ("--database", "postgresql://nobody@127.0.0.1:1/none", "The database cannot be reached")],
)  # fmt: skip
def test_setup_that_fails_leaves_nothing_behind_and_can_be_run_again(
    tmp_path: Path, option: str, answer: str, said: str
) -> None:
    caddy = tmp_path / "etc/caddy/Caddyfile"
    caddy.parent.mkdir(parents=True)
    caddy.write_text(":80 {\n}\n")
    answers = {"--mail": "none", "--database": "sqlite", "--operator": "ada@hub.example"}

    def set_up(given: dict[str, str]) -> Result:
        words = [word for pair in given.items() for word in pair]
        return Operator("sqlite:///none.db").run("setup", "hub.example.com", "--root", str(tmp_path), *words)

    refused = set_up({**answers, option: answer})
    assert (refused.exit_code, said in refused.stderr) == (1, True), refused.stderr
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [caddy]
    assert caddy.read_text() == ":80 {\n}\n"
    done = set_up(answers)
    assert (done.exit_code, "this link signs the first operator in" in done.stdout) == (0, True), done.stderr


@pytest.mark.usefixtures("plugins_in_process")
def test_what_strangers_would_see_is_wrong(operator: Operator) -> None:
    assert (
        "is not encrypted"
        in findings(operator, HUB_SERVER_PUBLIC_URL="http://hub.example.com")["public address", "fault"]
    )
    assert "every client" in findings(operator, HUB_SERVER_PUBLIC_URL="https://hub.example.com")["proxy", "fault"]
    assert ("probes", "warning") in findings(operator, **PUBLIC)


@pytest.mark.usefixtures("plugins_in_process")
def test_a_mail_server_that_cannot_be_used(operator: Operator) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = str(closed.getsockname()[1])
        found = findings(operator, **PUBLIC, HUB_MAIL_HOST="127.0.0.1", HUB_MAIL_PORT=port)
    assert "cannot be used" in found["mail", "fault"]


@pytest.mark.usefixtures("plugins_in_process")
def test_a_database_that_is_not_there(operator: Operator) -> None:
    result = operator.run("doctor", "--before-start", HUB_DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert result.exit_code == 1
    assert "PostgreSQL does not answer" in result.stdout


@pytest.mark.parametrize(
    ("fact", "value", "sentence"),
    [("version_number", 130_000, "older than 14"), ("is_replica", True, "only reads"), ("is_durable", False, "fsync"),
     ("encoding", "SQL_ASCII", "encoded in SQL_ASCII"), ("now", NOON + 5_000, "5.0 s apart")],
)  # fmt: skip
def test_a_server_that_a_hub_may_not_rely_on(fact: str, value: Any, sentence: str) -> None:
    sound: dict[str, Any] = {"version_number": 150_000, "version": "15.1", "most": 97, "used": 3, "is_replica": False,
             "is_durable": True, "encoding": "UTF8", "now": NOON}  # fmt: skip
    assert [each.state for each in _postgresql(ServerFacts(**sound), lambda: NOON)] == ["ok"], "the control"
    found = list(_postgresql(ServerFacts(**{**sound, fact: value}), lambda: NOON))
    assert [each for each in found if each.state == "fault" and sentence in each.sentence], found


async def test_an_address_that_nobody_answers(operator: Operator) -> None:
    from hub.config.settings import load_settings

    server = load_settings(None, {"HUB_SERVER_PUBLIC_URL": "http://127.0.0.1:1"}).server
    ((state, sentence, mend),) = await look_from_outside(server, NOON)
    assert (state, sentence, bool(mend)) == (
        "fault", "http://127.0.0.1:1 cannot be reached: connection refused.", True,
    )  # fmt: skip


def test_what_is_in_order_needs_no_mend() -> None:
    assert finding_document(Finding("disk", "ok", "Enough."))["runbook"] is None
    assert all((ROOT / "docs" / f"{anchor(kind).partition('#')[0]}.md").exists() for kind in TROUBLE_KINDS)


class TestSetup:
    def test_nothing_that_is_there_is_replaced(self, tmp_path: Path) -> None:
        layout = Layout(tmp_path)
        layout.settings.parent.mkdir(parents=True)
        layout.settings.write_text("mine")
        with pytest.raises(OperatorFault, match="was set up here"):
            write_installation(Answers("hub.example.com", "", "", "a@b.example"), layout)
        assert layout.settings.read_text() == "mine"
        assert not layout.secrets.exists()

    def test_postgresql_has_no_backup_of_ours_and_its_password_is_no_setting(self, tmp_path: Path) -> None:
        mail = "smtps://hub:p%40ss@mail.example"
        answers = Answers("hub.example.com", mail, "postgresql://hub:secret@db.example/hub", "a@b.example")
        files = write_installation(answers, Layout(tmp_path))
        assert not [file for file in files if "backup" in file.name]
        readable = "".join(file.read_text() for file in files if file.name != "hub.env")
        assert "secret@db" not in readable
        assert "p@ss" not in readable
        assert "HUB_MAIL_PASSWORD='p@ss'" in Layout(tmp_path).secrets.read_text()
        assert 'tls = "implicit"' in Layout(tmp_path).settings.read_text()

    @pytest.mark.parametrize(
        ("name", "mail"), [("localhost", ""), ("https://hub.example", ""), ("hub.example", "mail.example")]
    )
    def test_an_answer_that_cannot_be_is_refused(self, name: str, mail: str) -> None:
        with pytest.raises(OperatorFault):
            Answers(name, mail, "", "a@b.example")


def test_an_audit_that_names_a_hundred_says_that_there_may_be_more(operator: Operator) -> None:
    operator.merchant()
    seeds = Seeds(Path(operator.url.removeprefix("sqlite:///")))
    seeds.add("claims", account_id="acc", scope="order", claim_key="A-0", event_id="evt_0")
    assert "2 violations" in operator.run("audit").stdout, "the control: the claim, and that the sum is short"
    for number in range(1, 101):
        seeds.add("claims", account_id="acc", scope="order", claim_key=f"A-{number}", event_id=f"evt_{number}")
    assert "At least 101 violations; of lost_events the first 100 are named." in operator.run("audit").stdout


def test_a_file_names_every_violation(operator: Operator, tmp_path: Path) -> None:
    """The control is the run without it, which stops at a hundred of a rule."""
    operator.merchant()
    seeds, file = Seeds(Path(operator.url.removeprefix("sqlite:///"))), tmp_path / "violations.jsonl"
    for number in range(150):
        seeds.add("claims", account_id="acc", scope="order", claim_key=f"A-{number}", event_id=f"evt_{number}")
    assert "At least 101 violations" in operator.run("audit").stdout
    told = operator.run("audit", "--output", str(file))
    assert f"151 violations. Each is a line of {file}." in told.stdout
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len({each["id"] for each in lines if each["rule"] == "lost_events"}) == 150
    assert "exists already" in operator.refused("audit", "--output", str(file))
