"""Collections for Postman and Bruno: every operation with its example, signed by a script before it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hub.docs_site.reference import Group, Operation
from hub.docs_site.snippets import idempotency_key

FOLDER: Final = Path(__file__).resolve().parents[1] / "collections"
SCHEMA: Final = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
NAME: Final = "Affiliate hub: merchant API"
VARIABLES: Final = {"baseUrl": "http://127.0.0.1:8080/api", "hubKey": "ak_test_...", "hubSecret": ""}


def collection_files(groups: Sequence[Group]) -> dict[str, str]:
    """Return the files of both collections by their paths in collections/."""
    return {"affiliate-hub.postman_collection.json": _postman(groups), **_bruno(groups)}


def _script(tool: str) -> str:
    return (FOLDER / "sign.js").read_text("utf-8") + (FOLDER / f"{tool}-send.js").read_text("utf-8")


def _body(operation: Operation) -> str:
    body = operation.body
    return body if isinstance(body, str) else json.dumps(body, indent=2, ensure_ascii=False)


def _headers(operation: Operation) -> dict[str, str]:
    headers = dict(operation.header_examples)
    if operation.sent_type is not None:
        headers["Content-Type"] = operation.sent_type
    if key := idempotency_key(operation):
        headers["X-Idempotency-Key"] = key
    return headers


def _postman(groups: Sequence[Group]) -> str:
    script = {"type": "text/javascript", "exec": _script("postman").splitlines()}
    kinds = {"hubSecret": "secret"}
    known = [{"key": key, "value": value, "type": kinds.get(key, "string")} for key, value in VARIABLES.items()]
    collection = {
        "info": {"name": NAME, "schema": SCHEMA},
        "item": [{"name": group.title, "item": [_postman_item(each) for each in group.operations]} for group in groups],
        "event": [{"listen": "prerequest", "script": script}],
        "variable": known,
    }
    return json.dumps(collection, indent=2, ensure_ascii=False) + "\n"


def _postman_item(operation: Operation) -> Mapping[str, Any]:
    path = operation.path.replace("{", ":").replace("}", "").strip("/").split("/")
    query = [{"key": field.name, "value": "", "disabled": True} for field in operation.query_fields]
    names = [{"key": name, "value": value} for name, value in operation.path_examples.items()]
    raw = "{{baseUrl}}/" + "/".join(path)
    request: dict[str, Any] = {
        "method": operation.method,
        "description": operation.text,
        "header": [{"key": name, "value": value} for name, value in _headers(operation).items()],
        "url": {"raw": raw, "host": ["{{baseUrl}}"], "path": path, "query": query, "variable": names},
    }
    if operation.sent_type is not None:
        request["body"] = {"mode": "raw", "raw": _body(operation)}
    return {"name": operation.summary, "request": request}


def _bruno(groups: Sequence[Group]) -> dict[str, str]:
    script = "\n".join(f"  {line}".rstrip() for line in _script("bruno").splitlines())
    files = {
        "bruno/bruno.json": json.dumps({"version": "1", "name": NAME, "type": "collection"}, indent=2) + "\n",
        "bruno/collection.bru": f"script:pre-request {{\n{script}\n}}\n",
        "bruno/environments/hub.bru": _bruno_environment(),
    }
    for group in groups:
        for number, operation in enumerate(group.operations, 1):
            files[f"bruno/{group.name}/{operation.name}.bru"] = _bruno_request(operation, number)
    return files


def _bruno_environment() -> str:
    known = "\n".join(f"  {name}: {value}" for name, value in VARIABLES.items() if value)
    return f"vars {{\n{known}\n}}\nvars:secret [\n  hubSecret\n]\n"


def _bruno_request(operation: Operation, number: int) -> str:
    path = operation.path.replace("{", ":").replace("}", "")
    kind = "none" if operation.sent_type is None else "text"
    parts = [
        _block("meta", {"name": operation.summary, "type": "http", "seq": str(number)}),
        _block(operation.method.lower(), {"url": "{{baseUrl}}" + path, "body": kind, "auth": "none"}),
    ]
    if operation.query_fields:
        parts.append(_block("params:query", {f"~{field.name}": "" for field in operation.query_fields}))
    if operation.path_examples:
        parts.append(_block("params:path", operation.path_examples))
    if headers := _headers(operation):
        parts.append(_block("headers", headers))
    if operation.sent_type is not None:
        lines = "\n".join(f"  {line}" for line in _body(operation).splitlines())
        parts.append(f"body:text {{\n{lines}\n}}\n")
    return "\n".join(parts)


def _block(name: str, values: Mapping[str, str]) -> str:
    lines = "\n".join(f"  {key}: {value}".rstrip() for key, value in values.items())
    return f"{name} {{\n{lines}\n}}\n"
