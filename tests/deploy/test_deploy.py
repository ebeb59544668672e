"""What is in deploy/ is what its programs take, closed as it says, and names settings that there are."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from hub.config.settings import load_settings, settings_by_path
from hub.config.sources import SHORT_VARIABLES, variable_name
from hub.testing.postgres import free_port
from tests.certificates import self_signed
from tests.deploy.kept_schemas import KINDS, compose_faults, manifest_faults
from tests.polling import until
from tests.test_repository import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
WORST_EXPOSURE = {"affiliate-hub.service": 3.0}
"""What `systemd-analyze security` may say at most (0 to 10); the hub's own needs namespaces to close its plugins in."""


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: what deploy/ has for it was not tried")
    return found


def ran(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def documents(name: str) -> list[dict[str, Any]]:
    """Read YAML, which the hub itself does not: the tests' tools bring a reader along."""
    return list(importlib.import_module("yaml").safe_load_all((DEPLOY / name).read_text("utf-8")))


def compose() -> dict[str, Any]:
    (found,) = documents("compose.yaml")
    return found


class TestSettings:
    def test_every_setting_that_is_named_is_one(self) -> None:
        known = {*map(variable_name, settings_by_path()), *SHORT_VARIABLES}
        named = {
            (file.name, name)
            for file in DEPLOY.rglob("*")
            if file.is_file()
            for name in re.findall(r"\bHUB_[A-Z_]+\b", file.read_text("utf-8"))
        }
        assert len(named) > 8
        assert {each for each in named if each[1] not in known} == set()

    def test_those_of_the_manifests_are_read(self) -> None:
        (config, *_) = documents("kubernetes/hub.yaml")
        settings = load_settings(None, {**config["data"], "HUB_DATABASE_URL": "postgresql://hub@postgres/hub"})
        assert settings.server.operations == ("0.0.0.0", 9090)

    def test_those_of_the_compose_file_are_read(self) -> None:
        filled = {name: _filled(value) for name, value in compose()["services"]["hub"]["environment"].items()}
        settings = load_settings(None, {name: value for name, value in filled.items() if name.startswith("HUB_")})
        assert settings.server.public_url == "https://hub.example.com"
        subnet = compose()["networks"]["inside"]["ipam"]["config"][0]["subnet"]
        assert [str(network) for network in settings.server.trusted_proxies] == [subnet]


def _filled(value: str) -> str:
    given = {"PUBLIC_NAME": "hub.example.com", "HUB_MASTER_KEY": "5e" * 32, "POSTGRES_PASSWORD": "secret"}
    return re.sub(r"\$\{(\w+):(?:\?[^}]*|-([^}]*))\}", lambda found: given.get(found[1], found[2] or ""), str(value))


class TestSystemd:
    @pytest.fixture
    def installed(self, tmp_path: Path) -> list[str]:
        """The units, with programs that are there."""
        for unit in UNITS:
            text = unit.read_text("utf-8").replace("/opt/affiliate-hub/bin/hub", "/bin/true")
            (tmp_path / unit.name).write_text(text)
        return [str(tmp_path / unit.name) for unit in UNITS]

    def test_the_units_are_valid(self, installed: list[str]) -> None:
        assert ran(program("systemd-analyze"), "verify", *installed) == ""

    def test_control_a_misspelt_directive_is_found(self, installed: list[str]) -> None:
        unit = Path(next(name for name in installed if name.endswith("affiliate-hub.service")))
        unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHomes="))
        assert "ProtectHomes" in ran(program("systemd-analyze"), "verify", str(unit))

    def test_the_services_are_closed_to_the_machine(self, installed: list[str]) -> None:
        analyze = program("systemd-analyze")
        for unit in (name for name in installed if name.endswith(".service")):
            told = ran(analyze, "security", "--offline=true", "--no-pager", unit)
            (exposure,) = re.findall(r"Overall exposure level .*: ([\d.]+) ", told)
            assert float(exposure) <= WORST_EXPOSURE.get(Path(unit).name, 2.0), told


class TestProxies:
    def test_nginx_takes_its_file(self, tmp_path: Path) -> None:
        nginx = program("nginx")
        key, certificate = self_signed(tmp_path, "hub.example.com")
        text = (DEPLOY / "nginx.conf").read_text("utf-8")
        text = text.replace("/etc/ssl/hub.example.com.key", str(key)).replace(
            "/etc/ssl/hub.example.com.pem", str(certificate)
        )
        whole = tmp_path / "nginx.conf"
        whole.write_text(in_nginx(text, tmp_path))
        assert "syntax is ok" in ran(nginx, "-t", "-p", str(tmp_path), "-c", str(whole))

    async def test_nginx_refuses_programs_over_http_and_leads_people_on(self, tmp_path: Path) -> None:
        key, certificate = self_signed(tmp_path, "hub.example.com")
        http, https = free_port(), free_port()
        text = (DEPLOY / "nginx.conf").read_text("utf-8")
        for shipped, here in {
            "/etc/ssl/hub.example.com.key": str(key), "/etc/ssl/hub.example.com.pem": str(certificate),
            "listen 80;": f"listen 127.0.0.1:{http};", "listen 443 ssl;": f"listen 127.0.0.1:{https} ssl;",
        }.items():  # fmt: skip
            assert shipped in text
            text = text.replace(shipped, here)
        whole = tmp_path / "nginx.conf"
        whole.write_text(in_nginx(text, tmp_path))
        with running(program("nginx"), "-p", str(tmp_path), "-c", str(whole), "-g", "daemon off;"):
            await asked_over(f"http://127.0.0.1:{http}", f"https://127.0.0.1:{https}")

    async def test_caddy_refuses_programs_over_http_and_leads_people_on(self, tmp_path: Path) -> None:
        http, served = free_port(), free_port()
        text = (DEPLOY / "Caddyfile").read_text("utf-8")
        name = "{$PUBLIC_NAME:hub.example.com}"
        assert text.count(name) == 2
        text = text.replace(f"http://{name}", f"http://127.0.0.1:{http}").replace(name, f"http://127.0.0.1:{served}")
        whole = tmp_path / "Caddyfile"
        whole.write_text("{\n\tadmin off\n}\n" + text.replace("lb_try_duration 5s", "lb_try_duration 0s"))
        with running(program("caddy"), "run", "--adapter", "caddyfile", "--config", str(whole)):
            await asked_over(f"http://127.0.0.1:{http}", f"http://127.0.0.1:{served}")

    def test_caddy_takes_its_file(self) -> None:
        assert "Valid configuration" in ran(
            program("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")
        )


def in_nginx(text: str, folder: Path) -> str:
    """A whole file of nginx that includes a part of `http`, and writes into the folder alone."""
    return (
        f"pid {folder}/pid; error_log stderr; events {{}}\nhttp {{ access_log off;\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi"))
        + f"uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;\n{text}}}\n"
    )


@contextmanager
def running(*command: str) -> Iterator[None]:
    """A program runs; it has no files of its user's."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


async def asked_over(http: str, https: str) -> None:
    """A program that was given http is refused, a person is led to https, and there the browser keeps to it."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as session:

        async def ask(url: str) -> tuple[int, str | None, str | None] | None:
            try:
                async with session.get(url, allow_redirects=False) as answer:
                    kept = answer.headers.get("Strict-Transport-Security")
                    return answer.status, answer.headers.get("Location"), kept
            except aiohttp.ClientConnectorError:
                return None

        for path in ("/api/v1/products", "/connect/con_1", "/mcp"):
            assert await until(partial(ask, f"{http}{path}")) == (403, None, None)
        status, location, _ = await until(partial(ask, f"{http}/login?then=/account"))
        assert status in (301, 308)
        assert (location or "").startswith("https://")
        assert (location or "").endswith("/login?then=/account")
        for path in ("/login", "/api/v1/products", "/metrics"):
            _, _, kept = await until(partial(ask, f"{https}{path}"))
            assert kept == "max-age=31536000; includeSubDomains", path


class TestContainers:
    def test_the_image_runs_without_root_and_says_how_it_is(self) -> None:
        text = (DEPLOY / "Containerfile").read_text("utf-8")
        last = text.rpartition("\nFROM ")[2]
        assert re.search(r"^USER 10001:10001$", last, re.MULTILINE)
        assert "/healthz" in last
        assert "--require-hashes" in text
        assert not re.search(r"^(ADD|COPY) \.", text, re.MULTILINE), "nothing of a checkout but the release"

    def test_its_python_is_that_of_the_lock_file(self) -> None:
        (locked,) = re.findall(r"with Python (\d\.\d+)", (ROOT / "requirements/run.txt").read_text("utf-8"))
        image = (DEPLOY / "Containerfile").read_text("utf-8")
        pythons = re.findall(r"^FROM docker.io/library/python:(\d\.\d+)-", image, re.MULTILINE)
        assert set(pythons) == {locked}

    def test_every_service_of_the_compose_file_is_closed_and_waits_for_what_it_needs(self) -> None:
        services = compose()["services"]
        for name in ("migrate", "hub"):
            assert services[name]["read_only"]
            assert services[name]["cap_drop"] == ["ALL"]
        assert services["hub"]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
        assert [name for name, each in services.items() if "ports" in each] == ["caddy"]

    def test_the_file_is_what_the_specification_wants(self) -> None:
        assert compose_faults(compose()) == []

    @pytest.mark.parametrize(
        ("what", "change"),
        [
            ("does not match any", lambda found: found["services"]["hub"].update(restrat="always")),
            ("is not of type", lambda found: found["services"]["hub"].update(read_only=["yes"])),
            ("not among the services", lambda found: found["services"]["hub"]["depends_on"].update(migration={})),
            ("not among the volumes", lambda found: found["volumes"].pop("uploads")),
            (
                "valid under any of the given",
                lambda found: found["services"]["migrate"]["depends_on"]["database"].update(condition="up"),
            ),
        ],
    )
    def test_control_a_mistake_in_it_is_found(self, what: str, change: Callable[[dict[str, Any]], None]) -> None:
        found = compose()
        change(found)
        assert [each for each in compose_faults(found) if what in each], compose_faults(found)

    def test_compose_takes_the_file(self) -> None:
        docker = program("docker")
        if subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
            pytest.skip("docker has no compose here: compose.yaml was not tried by it")
        ran("env", "PUBLIC_NAME=a.example", "HUB_MASTER_KEY=k", "POSTGRES_PASSWORD=p",
            docker, "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet")  # fmt: skip


def pod_of(spec: dict[str, Any]) -> Any:
    """The pod of a deployment."""
    return spec["template"]["spec"]


class TestKubernetes:
    def test_the_pods_are_closed_and_probed_where_the_hub_answers(self) -> None:
        found = {each["kind"]: each for each in documents("kubernetes/hub.yaml")}
        pod = found["Deployment"]["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["terminationGracePeriodSeconds"] >= 30
        (hub,) = pod["containers"]
        ports = {port["name"]: port["containerPort"] for port in hub["ports"]}
        assert hub["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "operations"}
        assert ports["operations"] == 9090
        for container in (*pod["initContainers"], hub):
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert not container["securityContext"]["allowPrivilegeEscalation"]

    def test_services_find_the_pods(self) -> None:
        found = {each["kind"]: each for each in documents("kubernetes/hub.yaml")}
        labels = found["Deployment"]["spec"]["template"]["metadata"]["labels"]
        assert found["Service"]["spec"]["selector"] == labels
        assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
        assert found["Service"]["spec"]["ports"][0]["targetPort"] == "http"

    def test_the_manifests_are_what_the_schema_wants(self) -> None:
        found = documents("kubernetes/hub.yaml")
        assert [fault for each in found for fault in manifest_faults(each)] == []
        assert {each["kind"] for each in found} == set(KINDS)

    @pytest.mark.parametrize(
        ("kind", "what", "change"),
        [
            ("Deployment", "unexpected", lambda spec: pod_of(spec)["containers"][0].update(livenesProbe={})),
            ("Deployment", "not of type", lambda spec: spec.update(replicas="two")),
            ("Deployment", "required", lambda spec: spec.pop("selector")),
            ("Deployment", "not of type", lambda spec: pod_of(spec)["securityContext"].update(runAsUser="hub")),
            ("Service", "required", lambda spec: spec["ports"][0].pop("port")),
            ("CronJob", "required", lambda spec: spec.pop("schedule")),
            ("Ingress", "unexpected", lambda spec: spec["rules"][0].update(hosts=["hub.example.com"])),
        ],
    )
    def test_control_a_mistake_in_one_is_found(self, kind: str, what: str, change: Callable[[Any], None]) -> None:
        (found,) = (each for each in documents("kubernetes/hub.yaml") if each["kind"] == kind)
        change(found["spec"])
        assert [each for each in manifest_faults(found) if what in each], manifest_faults(found)

    def test_kubeconform_takes_the_manifests(self) -> None:
        told = ran(program("kubeconform"), "-strict", "-output", "json", str(DEPLOY / "kubernetes"))
        assert [each for each in json.loads(told)["resources"] if each["status"] != "statusValid"] == []
