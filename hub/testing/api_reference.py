"""Writes docs/connector-api.md, the reference of `hub.api`, from the docstrings and declarations of its names.

`python -m hub.testing.api_reference > docs/connector-api.md` writes it anew; a test compares the two.
"""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any, Final

import attrs

from hub import api

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Declaring a connector": ("hookimpl", "Connector", "Topic", "API_VERSION"),
    "How a delivery proves itself": ("HmacHeader", "TimestampHmac", "JwtBody", "SecretHeader", "Challenge"),
    "Where a delivery says something": ("HeaderPlace", "FieldPlace", "FixedPlace"),
    "Asking a platform": (
        "Requests", "Credential", "BasicLogin", "TokenHeader", "TokenGrant", "RateLimit", "CostLimit", "Call",
        "AnswerErrors", "Listing", "PageNumbers", "LinkHeader", "BodyLink", "BodyCursor", "Bulk", "Single", "Part",
        "Webhooks", "Identity", "Scopes", "KeyConsent", "OAuthConsent", "FetchOrder", "FetchProduct",
    ),
    "What a translation is given, and how it refuses": (
        "Body", "Headers", "Context", "Unmappable", "Uninteresting", "Erasure", "PackageContext",
    ),
    "Facts of orders": (
        "Fact", "OrderCreated", "Line", "OrderPaid", "OrderDelivered", "OrderCancelled", "OrderReturned",
        "OrderRefunded", "OrderSnapshot", "OrderGone", "OrderStateUnknown", "OrderUnclear", "CREATED_KEY",
        "SNAPSHOT_KEY", "status_key", "refund_key", "refund_so_far_key", "FACTS_OF_KIND",
    ),
    "Facts of products": ("ProductUpdated", "ProductStockUpdated"),
    "Reading bodies": ("parse_body", "read_payload", "plain_json"),
    "Reading single values": (
        "as_id", "id_or_none", "as_text", "as_money", "as_number", "as_quantity", "as_moment", "as_currency",
        "as_record", "as_records", "as_lines", "parse_instant", "storable", "CURRENCIES", "PLATFORM_CURRENCIES",
    ),
    "Simulated stores": ("Play", "Delivery", "Scene"),
}  # fmt: skip
"""Every name, in the order of the page."""
VALUES: Final[Mapping[str, str]] = {
    "API_VERSION": "The version of this contract, as in `Connector(api=...)`.",
    "Body": "A webhook's parsed JSON object: `dict[str, Any]`, numbers as int or Decimal.",
    "Headers": "A delivery's headers, their names in lower case: `Mapping[str, str]`.",
    "Fact": "Any of the facts below.",
    "CREATED_KEY": "The key of the one fact that an order exists.",
    "SNAPSHOT_KEY": "The key of what an order is now.",
    "PLATFORM_CURRENCIES": "The same with the codes that shop platforms offer and ISO 4217 lacks: BTC, IRT, GGP, ...",
    "FACTS_OF_KIND": "The class of facts that each of the eight v1 webhook kinds may state, by kind.",
    "CURRENCIES": 'The minor digits of every ISO 4217 currency, by its code: `CURRENCIES["JPY"]` is 0.',
    "Scene": "A function of a `Play` that returns a `Delivery`; a plugin's module `scenarios` has them in `SCENES`.",
    "hookimpl": "Marks the function `hub_connectors()` of a plugin's module, which returns its connectors.",
}
"""What names without a docstring of their own are."""
FOLDER: Final = Path(__file__).parent


def render() -> str:
    """Return the whole page."""
    head = Template((FOLDER / "api_reference_head.md").read_text("utf-8")).substitute(version=api.API_VERSION)
    examples = tomllib.loads((FOLDER / "api_examples.toml").read_text("utf-8"))
    return head + "".join(_group(title, names, examples) for title, names in GROUPS.items())


def _group(title: str, names: tuple[str, ...], examples: Mapping[str, str]) -> str:
    return f"\n## {title}\n" + "".join(f"\n### {name}\n\n{_entry(name, examples.get(name))}" for name in names)


def _entry(name: str, example: str | None) -> str:
    value = getattr(api, name)
    parts = [VALUES[name] if name in VALUES else _docstring(value)]
    if isinstance(value, str):
        parts.append(f'Its value is `"{value}"`.')
    if inspect.isclass(value) and attrs.has(value):
        parts.append(_fields(value))
    elif inspect.isfunction(value) and name not in VALUES:
        parts.insert(0, f"`{name}{_plain(str(inspect.signature(value)))}`")
    if example is not None:
        parts.append(f"```python\n{example}```")
    return "\n\n".join(part for part in parts if part) + "\n"


def _docstring(value: Any) -> str:
    return inspect.getdoc(value) or ""


def _fields(record: type) -> str:
    rows = "".join(f"| `{field.name}` | `{_type(field)}` | {_default(field)} |\n" for field in attrs.fields(record))
    return f"| field | type | default |\n|---|---|---|\n{rows}".rstrip()


def _type(field: Any) -> str:
    written = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
    return _plain(written).replace("|", "\\|")


def _default(field: Any) -> str:
    default = field.default
    if default is attrs.NOTHING:
        return ""
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class at run time, a function to mypy
        return "empty"
    if inspect.isfunction(default):
        return "answers no"
    if inspect.isclass(default) or attrs.has(type(default)):
        return "none of its own"
    return f"`{default!r}`"


def _plain(text: str) -> str:
    return re.sub(r"\b(hub\.[a-z_.]+|collections\.abc|typing|decimal)\.", "", text.replace("'", ""))


def undescribed() -> Iterator[str]:
    """Yield every name that the page lacks, and every field that no docstring of its class or a parent names."""
    listed = {name for names in GROUPS.values() for name in names}
    yield from sorted(set(api.__all__) ^ listed)
    for name in sorted(listed & set(api.__all__)):
        value = getattr(api, name)
        if name not in VALUES and not _docstring(value):
            yield name
        if inspect.isclass(value) and attrs.has(value):
            said = " ".join(each.__doc__ or "" for each in value.__mro__ if each is not object)
            yield from (f"{name}.{field.name}" for field in attrs.fields(value) if f"`{field.name}" not in said)


if __name__ == "__main__":
    sys.stdout.write(render())
