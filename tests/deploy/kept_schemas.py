"""The schemas that files of deploy/ are judged by, and how that of Kubernetes is cut to the kinds that are used.

`python -m tests.deploy.kept_schemas FOLDER` writes it anew from an unpacked wheel of `kubernetes-validate`; which one,
and where the other schema is from, says `schemas/README.md`.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "schemas"
KUBERNETES: Final = FOLDER / "kubernetes.json"
COMPOSE: Final = FOLDER / "compose-spec.json"
KINDS: Final = {
    "ConfigMap": "io.k8s.api.core.v1.ConfigMap",
    "CronJob": "io.k8s.api.batch.v1.CronJob",
    "Deployment": "io.k8s.api.apps.v1.Deployment",
    "Ingress": "io.k8s.api.networking.v1.Ingress",
    "PodDisruptionBudget": "io.k8s.api.policy.v1.PodDisruptionBudget",
    "Service": "io.k8s.api.core.v1.Service",
}
WORDS: Final = ("description", "x-kubernetes-group-version-kind")


def faults_of(document: dict[str, Any], schema: dict[str, Any], draft: str) -> list[str]:
    """Return what a schema of a draft has against a document, each fault with its place."""
    validator = getattr(importlib.import_module("jsonschema"), draft)(schema)
    return [f"{'.'.join(map(str, each.absolute_path))}: {each.message}" for each in validator.iter_errors(document)]


def manifest_faults(manifest: dict[str, Any]) -> list[str]:
    """Return what Kubernetes' own schema has against a manifest; it has to name every member and know its type."""
    if manifest["kind"] not in KINDS:
        return [f"{manifest['kind']} has no schema here: add it to KINDS"]
    kept = json.loads(KUBERNETES.read_text("utf-8"))
    return faults_of(manifest, {**kept, "$ref": f"#/$defs/{KINDS[manifest['kind']]}"}, "Draft202012Validator")


def compose_faults(composed: dict[str, Any]) -> list[str]:
    """Return what the schema has against a compose file, and what it names that is not declared."""
    faults = faults_of(composed, json.loads(COMPOSE.read_text("utf-8")), "Draft7Validator")
    for name, service in composed["services"].items():
        volumes = {text.split(":")[0] for text in service.get("volumes", ()) if not text.startswith((".", "/"))}
        for declared, used in (
            ("services", service.get("depends_on", ())), ("networks", service.get("networks", ())),
            ("volumes", volumes),
        ):  # fmt: skip
            faults += [f"{name}: {each} is not among the {declared}" for each in used if each not in composed[declared]]
    return faults


def cut(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions that the kinds need, without their descriptions."""
    kept: dict[str, Any] = {}
    waiting = sorted(KINDS.values())
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept[name] = _bare(definitions[name])
            waiting += _named_in(kept[name])
    return dict(sorted(kept.items()))


def _bare(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _bare(value) for name, value in part.items() if name not in WORDS or isinstance(value, dict)}
    return [_bare(each) for each in part] if isinstance(part, list) else part


def _named_in(part: Any) -> Iterator[str]:
    for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _named_in(value)
    if isinstance(part, dict) and isinstance(part.get("$ref"), str):
        yield part["$ref"].rpartition("/")[2]


if __name__ == "__main__":
    source = max(Path(sys.argv[1]).glob("kubernetes_validate/kubernetes-json-schema/v*-local-strict"))
    found = json.loads((source / "_definitions.json").read_text("utf-8"))
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": cut(found["$defs"])}
    KUBERNETES.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", "utf-8")
