"""The named components of scalars: money, currencies and the closed sets of words, each described once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_args

from hub.domain import words as w
from hub.domain.changes import CHANGE_TYPES
from hub.domain.messages.notifications import EVENT_TYPES as MESSAGE_TYPES
from hub.domain.messages.notifications import matching_types
from hub.domain.orders.attribution import Reason
from hub.domain.orders.awaited import Awaited
from hub.domain.orders.facts import FACTS_OF_KIND
from hub.domain.orders.lifecycle import SKIP_REASONS
from hub.domain.orders.rule_kinds import RULE_TYPES
from hub.domain.orders.terms import LevelOutcome
from hub.merchant_api import responses as r
from hub.merchant_api.v1 import list_queries as q
from hub.validation import field_types as f
from hub.validation.constraints import CURRENCY_PATTERN, MONEY_PATTERN, Constraint, Currency, Money, Schema
from hub.validation.volume_constraint import Volume

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "AcceptedStatus": get_args(r.AcceptedStatus),
    "AffiliateStatus": w.AFFILIATE_STATUSES,
    "AwaitedStep": get_args(Awaited),
    "ApprovalStatus": get_args(w.ApprovalStatus),
    "AttributionReason": get_args(Reason),
    "BilledWhen": w.BILLED_WHEN,
    "CampaignStatus": w.CAMPAIGN_STATUSES,
    "ChangeType": CHANGE_TYPES,
    "CommissionMessageType": matching_types(["commission.*"]),
    "CommissionSource": get_args(w.CommissionSource),
    "CommissionState": w.COMMISSION_STATES,
    "CommissionType": RULE_TYPES,
    "Confidence": get_args(w.Confidence),
    "ConversionState": q.CONVERSION_STATES,
    "ConversionStatus": f.CONVERSION_STATUSES,
    "EventStatus": w.EVENT_STATUSES,
    "EventType": w.EVENT_TYPES,
    "LevelOutcome": get_args(LevelOutcome),
    "LiveAccess": get_args(w.LiveAccess),
    "MembershipStatus": get_args(w.MembershipStatus),
    "MessageType": MESSAGE_TYPES,
    "Mode": w.MODES,
    "OrderStatus": f.ORDER_STATUSES,
    "ProductStatus": w.PRODUCT_STATUSES,
    "QueuedStatus": get_args(r.QueuedStatus),
    "ReceiptQuestion": get_args(w.ReceiptQuestion),
    "ReviewState": get_args(w.ReviewStatus),
    "RuleLevel": get_args(w.RuleSource),
    "DeliveryStatus": get_args(w.DeliveryStatus),
    "SubscriptionKind": get_args(w.SubscriptionKind),
    "SubscriptionStatus": get_args(w.SubscriptionStatus),
    "SettableCampaignStatus": w.STORED_CAMPAIGN_STATUSES,
    "SignatureVersion": ("1", "2"),
    "SkipReason": SKIP_REASONS,
    "Sort": q.SORTS,
    "TrueOrFalse": ("true", "false"),
    "UploadKind": w.UPLOAD_KINDS,
    "UploadStatus": get_args(w.UploadStatus),
    "VatOutcome": get_args(w.VatOutcome),
    "VolumeMeasure": get_args(w.VolumeMeasure),
    "VolumePeriod": get_args(w.VolumePeriod),
    "VolumeStanding": get_args(w.VolumeStanding),
    "WebhookKind": tuple(FACTS_OF_KIND),
}
"""The closed sets of words, by the names of their components."""

MEANINGS: Final[Mapping[str, str]] = {
    "AcceptedStatus": "RECEIVED, or DUPLICATE for what was accepted before.",
    "AwaitedStep": "What an order waits for.",
    "AffiliateStatus": "INACTIVE affiliates earn nothing.",
    "ApprovalStatus": "Whether an admin's approval is needed, and given.",
    "AttributionReason": "matched, or the first check that failed.",
    "BilledWhen": "When a merchant is billed a commission: when it is paid, or when it becomes payable.",
    "ChangeType": "The kinds of records that the change feed tells.",
    "CampaignStatus": "EXPIRED comes with time and is never set.",
    "CommissionMessageType": "The kinds of messages about a commission.",
    "CommissionSource": "The level whose rule won; MIXED if the lines differ.",
    "CommissionState": "PENDING, then HOLD or APPROVED, then PAYABLE and PAID; REJECTED if nothing is earned.",
    "CommissionType": "A percentage of the money, or a fixed amount.",
    "Confidence": "HIGH orders earn at once, LOW ones wait for a review.",
    "ConversionState": "The state of an order's commission, or of its review.",
    "ConversionStatus": "The status of an order when it is reported.",
    "EventStatus": "How far a submission is, and how it ended.",
    "EventType": "What was submitted.",
    "LevelOutcome": "Whether a rule won, or why it did not.",
    "LiveAccess": "Whether a merchant may use its live account itself.",
    "MembershipStatus": "How far an affiliate's wish to take part in a campaign is.",
    "MessageType": "The kinds of messages that subscribers get.",
    "Mode": "Whether money may move: test and live accounts have nothing in common.",
    "OrderStatus": "What became of an order.",
    "ProductStatus": "ACTIVE until stock, a PATCH or archiving says otherwise.",
    "QueuedStatus": "QUEUED, or DUPLICATE for what was accepted before.",
    "ReceiptQuestion": "Why a person has to look at what a merchant paid.",
    "ReviewState": "OPEN while a person has to decide.",
    "RuleLevel": "The level of a commission rule, the first one that has one wins.",
    "DeliveryStatus": "How far a message is.",
    "SubscriptionKind": "A signed POST, or a GET made of a template.",
    "SubscriptionStatus": "Whether messages are sent.",
    "SettableCampaignStatus": "The statuses that a campaign can be moved to.",
    "SignatureVersion": "Which text is signed.",
    "SkipReason": "Why something that was reported changed nothing.",
    "Sort": "The newest first, or the oldest first.",
    "TrueOrFalse": "Yes or no, in a query.",
    "UploadKind": "What the rows of a file are.",
    "UploadStatus": "How far a file is.",
    "VatOutcome": "What VIES says of a VAT number, or that it did not answer.",
    "VolumeMeasure": "Whether a rate rises by how many orders there are, or by what they amount to.",
    "VolumePeriod": "Whether the volume begins anew with each calendar month.",
    "VolumeStanding": "Whether an order counts for rates by volume.",
    "WebhookKind": "The eight webhooks.",
}

VOLUME_RATES: Final = "VolumeRates"
SCALARS: Final[Mapping[str, Schema]] = {
    "Currency": {
        "type": "string",
        "description": "An ISO 4217 currency code in upper case.",
        "pattern": CURRENCY_PATTERN,
        "example": "USD",
    },
    "Money": {
        "type": "string",
        "description": "An amount in major units, as text, with at most as many decimals as its currency has.",
        "pattern": MONEY_PATTERN,
        "example": "49.90",
    },
    "MoneySum": {
        "type": "string",
        "description": "A sum in major units, as text, which may be less than nothing.",
        "pattern": r"^-?[0-9]+(\.[0-9]{1,4})?$",
        "example": "1249.90",
    },
    "SkipExplanation": {
        "description": "A SkipReason, or a sentence behind a word: `unmappable: ...`, `uninteresting: ...`.",
        "anyOf": [{"$ref": "#/components/schemas/SkipReason"}, {"type": "string"}],
    },
}
"""The components of values that are not closed sets."""


NOTHING: Final[Schema] = {"type": "string", "nullable": True, "enum": [None]}
"""The schema of null: OpenAPI 3.0 has no other beside a reference."""

_NAMES: Final[Mapping[frozenset[str], str]] = {frozenset(words): name for name, words in WORDS.items()}


def reference(kind: str, name: str) -> Schema:
    """Return a reference to a component: ("schemas", "ErrorBody")."""
    return {"$ref": f"#/components/{kind}/{name}"}


def words_schema(words: Iterable[str]) -> Schema:
    """Return the schema of a closed set: a reference if it has a name, as all but sets of one word do."""
    listed = list(words)
    name = _NAMES.get(frozenset(listed))
    return reference("schemas", name) if name is not None else {"type": "string", "enum": listed}


def or_null(schema: Schema) -> Schema:
    """Return a schema that takes null, too; what a reference refers to stays without null."""
    if "$ref" in schema:
        return {"anyOf": [schema, dict(NOTHING)]}
    if "allOf" in schema:
        (inner,) = schema["allOf"]
        return {"anyOf": [inner, dict(NOTHING)], **{key: schema[key] for key in schema if key != "allOf"}}
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **choices, "nullable": True}


def with_notes(schema: Schema, notes: Mapping[str, Any]) -> Schema:
    """Return a schema with a description, an example or a default, which OpenAPI 3.0 ignores beside a reference."""
    if notes and "$ref" in schema:
        return {"allOf": [schema], **notes}
    return {**schema, **notes}


def named_constraint(constraint: Constraint) -> Schema | None:
    """Return the reference that stands for a constraint, None if its schema has no name."""
    if isinstance(constraint, Money):
        return reference("schemas", "Money")
    if isinstance(constraint, Currency):
        return reference("schemas", "Currency")
    if isinstance(constraint, Volume):
        return reference("schemas", VOLUME_RATES)
    words = getattr(constraint, "words", None)
    named = None if words is None else words_schema(words)
    return named if named is not None and "$ref" in named else None


def scalar_components(used: Iterable[str]) -> Iterator[tuple[str, Schema]]:
    """Yield the components of the scalars that are used, by name."""
    for name in used:
        if name in WORDS:
            yield name, {"type": "string", "description": MEANINGS[name], "enum": list(WORDS[name])}
        elif name == VOLUME_RATES:
            yield name, Volume("Rates that rise by volume: see docs/money.md.").schema()
        elif name in SCALARS:
            yield name, dict(SCALARS[name])
