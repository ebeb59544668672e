"""Every command, path, port, probe, service and setting that a file of deploy/ names is one that there is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import aiohttp
import pytest

from hub.app import Hub
from hub.config.settings import load_settings
from hub.storage.sqlite.version import has_wal_reset_fault
from tests.deploy.test_deploy import DEPLOY, compose, documents
from tests.docs_site.test_commands import faults_of

SYSTEM_ACCOUNT = "10001:10001"
STATE = "/var/lib/hub"


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile with their words, continued lines joined."""
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines if line.strip())]


def stages(text: str) -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions(text):
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest))
    return found


CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")
BUILT = stages(CONTAINERFILE)
LAST = BUILT[-1]
IMAGE_SETTINGS = dict(re.findall(r"(HUB_\w+)=(\S+)", " ".join(rest for word, rest in LAST if word == "ENV")))


RULES: list[tuple[str, str, str]] = [
    ("RUN", r"apt-get install(?! --yes)|^(?!.*apt-get update).*apt-get install", "apt-get asks, or has an old list"),
    ("RUN", r"^(?!.*--require-hashes).*\bpip .*install\b", "pip installs what no digest names"),
    (
        "RUN",
        r"^(?!.*sha256sum --check).*https?://(?!127\.0\.0\.1)",
        "a file is taken from elsewhere without its digest",
    ),
    ("CMD", r"^(?!\[)", "it runs in a shell, which passes no signal on"),
    ("ENTRYPOINT", r"^(?!\[)", "it runs in a shell, which passes no signal on"),
    ("ADD", "", "ADD unpacks and fetches; COPY says what it does"),
]
"""What a linter complains of: an instruction, what its words must not look like, and why."""


def faults_of_image(text: str) -> Iterator[str]:
    """Yield what a linter of such files would complain of."""
    known: set[str] = set()
    for stage in stages(text):
        base, _, name = stage[0][1].partition(" AS ")
        if not re.fullmatch(r"[\w.]+/[\w./-]+:[\w.-]+", base) or base.endswith(":latest"):
            yield f"{base} names no registry, or no release"
        for word, rest in stage[1:]:
            yield from (why for named, bad, why in RULES if named == word and re.search(bad, rest))
            if (source := re.match(r"--from=(\S+)", rest)) and source[1] not in known:
                yield f"{source[1]} is no earlier stage"
        known.add(name)
    last = [word for word, _ in stages(text)[-1]]
    if last.index("USER") > last.index("ENTRYPOINT") or "HEALTHCHECK" not in last:
        yield "it runs as root, or nobody asks how it is"


def containers() -> list[Mapping[str, Any]]:
    """Every container of the manifests."""
    found = []
    for each in documents("kubernetes/hub.yaml"):
        spec = each.get("spec", {})
        pod = spec.get("jobTemplate", {}).get("spec", spec).get("template", {}).get("spec", {})
        found += [*pod.get("initContainers", []), *pod.get("containers", [])]
    return found


class TestImage:
    def test_no_linter_would_complain(self) -> None:
        assert list(faults_of_image(CONTAINERFILE)) == []

    @pytest.mark.parametrize(
        ("whole", "instead", "fault"),
        [
            ('ENTRYPOINT ["hub"]', "ENTRYPOINT hub", "in a shell"),
            ("--require-hashes ", "", "no digest names"),
            ("| sha256sum --check", "", "without its digest"),
            ("python:3.11-slim-bookworm AS sqlite", "python:latest AS sqlite", "no release"),
            ("--from=installed", "--from=built", "no earlier stage"),
            ("COPY dist", "ADD dist", "COPY says"),
        ],
    )
    def test_control_each_rule_can_be_broken(self, whole: str, instead: str, fault: str) -> None:
        assert whole in CONTAINERFILE
        assert any(fault in each for each in faults_of_image(CONTAINERFILE.replace(whole, instead)))

    def test_its_settings_are_read_and_fit_its_user_ports_and_volume(self) -> None:
        settings = load_settings(None, IMAGE_SETTINGS)
        words = dict(LAST)
        assert words["USER"] == SYSTEM_ACCOUNT
        assert words["VOLUME"] == words["WORKDIR"] == STATE
        assert settings.server.operations is not None
        ports = {str(settings.server.port), str(settings.server.operations[1])}
        assert set(words["EXPOSE"].split()) == ports
        assert str(settings.database.path).startswith(STATE)
        assert str(settings.upload_directory).startswith(STATE)
        assert f"127.0.0.1:{settings.server.port}/healthz" in words["HEALTHCHECK"]
        assert faults_of(f"hub {' '.join(json.loads(words['CMD']))}") == []

    def test_its_sqlite_is_one_without_the_known_fault(self) -> None:
        ((release,),) = [
            re.findall(r"sqlite-autoconf-(\d{7})\.tar", rest) for _, rest in BUILT[0] if "autoconf" in rest
        ]
        number = int(release)
        version = (number // 1_000_000, number // 10_000 % 100, number // 100 % 100)
        assert not has_wal_reset_fault(version)
        assert f">= {version}" in CONTAINERFILE, "what is imported is what was built"
        assert has_wal_reset_fault((3, 40, 1)), "the control: that of the distribution has it"


class TestCommands:
    def test_those_of_the_units_are_commands(self) -> None:
        lines = [
            line
            for unit in (DEPLOY / "systemd").glob("*.service")
            for line in re.findall(r"/bin/(hub [^'\n]+)", unit.read_text("utf-8"))
        ]
        assert len(lines) == 3
        assert [(line, fault) for line in lines for fault in faults_of(line)] == []

    def test_those_of_compose_and_manifests_are_commands(self) -> None:
        commands = [each["command"] for each in compose()["services"].values() if "command" in each]
        commands += [each["args"] for each in containers()]
        assert len(commands) == 4
        assert [(words, fault) for words in commands for fault in faults_of(f"hub {' '.join(words)}")] == []

    def test_those_of_the_readme_are_commands(self) -> None:
        lines = re.findall(r"exec hub (hub .+)", (DEPLOY / "README.md").read_text("utf-8"))
        assert len(lines) == 2
        assert [(line, fault) for line in lines for fault in faults_of(line)] == []

    def test_control_a_command_or_an_option_that_there_is_not(self) -> None:
        assert [faults_of(line) for line in ("hub audits", "hub audit --slow", "hub user delete")] == [
            ["audits"], ["--slow"], ["delete"],
        ]  # fmt: skip


class TestPlaces:
    def test_containers_listen_and_write_where_the_image_does(self) -> None:
        image = load_settings(None, IMAGE_SETTINGS).server
        assert image.operations is not None
        ports = {"http": image.port, "operations": image.operations[1]}
        serving = next(each for each in containers() if each["args"] == ["serve"])
        assert {port["name"]: port["containerPort"] for port in serving["ports"]} == ports
        assert STATE in {mount["mountPath"] for mount in serving["volumeMounts"]}
        assert compose()["services"]["hub"]["volumes"] == [f"uploads:{STATE}"]
        assert compose()["services"]["caddy"]["environment"]["UPSTREAM"] == f"hub:{image.port}"

    def test_proxies_pass_on_to_where_a_hub_listens_and_keep_the_probes_in(self) -> None:
        port, nginx = load_settings(None, {}).server.port, (DEPLOY / "nginx.conf").read_text("utf-8")
        caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
        assert f"server 127.0.0.1:{port} " in nginx
        assert f"UPSTREAM:127.0.0.1:{port}" in caddy
        for probe in ("/readyz", "/metrics"):
            assert f"location = {probe}" in nginx
            assert probe in caddy

    async def test_probes_ask_where_a_hub_answers(self, hub: Hub) -> None:
        asked = {
            each[probe]["httpGet"]["path"] for each in containers() for probe in ("readinessProbe", "livenessProbe")
            if probe in each
        }  # fmt: skip
        assert asked == {"/readyz", "/healthz"}
        async with aiohttp.ClientSession(hub.url) as session:
            for path in sorted({*asked, "/metrics"}):
                async with session.get(path) as answer:
                    assert answer.status == 200

    def test_units_name_each_other_and_one_folder(self) -> None:
        for unit in (DEPLOY / "systemd").iterdir():
            text = unit.read_text("utf-8")
            for named in re.findall(r"\baffiliate-hub[\w-]*\.(?:service|timer)\b", text):
                assert (DEPLOY / "systemd" / named).exists()
            if unit.suffix == ".timer":
                assert unit.with_suffix(".service").exists()
            else:
                assert re.search("^StateDirectory=affiliate-hub\\b", text, re.MULTILINE)
                assert "WorkingDirectory=/var/lib/affiliate-hub\n" in text

    def test_every_file_of_the_folder_is_in_its_readme(self) -> None:
        readme = (DEPLOY / "README.md").read_text("utf-8")
        missing = [each.name for each in DEPLOY.iterdir() if each.name != "README.md" and each.name not in readme]
        assert missing == []
