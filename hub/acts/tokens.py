"""Bearer tokens of operators, affiliates and merchants, and whether a merchant's account takes any."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post, put
from hub.acts.authority import ADMINS, FRESH_MS, OWNERS, PROVED_OWNERS, TOKEN_ROLES, Grant
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, PAGED, flag, needed, text, texts
from hub.acts.keys import ADDRESSES
from hub.operations.merchants.signed_only import SignaturesDocument, require_signatures, signatures_of
from hub.operations.users.api_tokens import (
    USUAL_LIFE,
    NewToken,
    create_token,
    revoke_token,
    tokens_of_merchant,
    tokens_part,
)
from hub.records.credentials import CreatedToken, TokenDocument


async def _tokens(c: Call) -> Any:
    return answer(await tokens_part(c.store, wanted_of(c)))


async def _tokens_of_merchant(c: Call) -> Any:
    return answer(await tokens_of_merchant(c.store, c.path["merchant"], wanted_of(c)))


async def _create(c: Call) -> Any:
    b = c.body
    wanted = NewToken(
        b.get("name", "made by the operator"), b["scopes"], expires_in=b.get("expires_in", USUAL_LIFE),
        allowed=b.get("allowed_ips", ()), merchant=c.path["merchant"], mode=b["mode"],
    )  # fmt: skip
    return await create_token(c.store, c.clock, wanted)


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/tokens", "listTokens"), "List tokens, without their secrets", _tokens, ListOfEntries(TokenDocument),
        query=PAGED),
    Act(post("/tokens/{token}/revoke", "revokeToken"), "Revoke a token at once",
        lambda c: revoke_token(c.store, c.clock, c.path["token"]), TokenDocument, trail=("token.revoked",),
        by=(ADMINS, Grant("account", TOKEN_ROLES), OWNERS), commands=("token revoke",),
        pages=("/account/tokens/{token}/revoke", "/account/tokens/revoke", "/merchant/tokens/{token}/revoke")),
    Act(get("/merchants/{merchant}/tokens", "listMerchantTokens"), "List a merchant's tokens, without their secrets",
        _tokens_of_merchant, ListOfEntries(TokenDocument), query=PAGED),
    Act(post("/merchants/{merchant}/tokens", "createMerchantToken", 201),
        "Create a token for a merchant's account; it is only in this answer", _create, CreatedToken,
        body={"mode": needed(MODE), "scopes": needed(texts("What it may do.", "orders:read", "payouts:read")),
              "name": text("What it is for.", "nightly export"), "allowedIps": ADDRESSES,
              "expiresIn": text("How long it is valid, like 90d; a year if omitted.", "90d")},
        trail=("token.created",), by=(ADMINS, Grant("merchant", ("merchant",), FRESH_MS, viewers=True)),
        commands=("token create",), pages=("/merchant/tokens",)),
    Act(get("/merchants/{merchant}/signatures", "getSignatures"), "Show where a merchant accepts only signed requests",
        lambda c: signatures_of(c.store, c.path["merchant"]), SignaturesDocument),
    Act(put("/merchants/{merchant}/signatures", "requireSignatures"),
        "Accept only signed requests in an account, or tokens too",
        lambda c: require_signatures(c.store, c.clock, c.path["merchant"], **c.body), SignaturesDocument,
        body={"mode": needed(MODE), "required": needed(flag("Whether tokens are refused there."))},
        trail=("merchant.signatures-set",), by=(ADMINS, PROVED_OWNERS), commands=("merchant signatures",),
        pages=("/merchant/tokens/signatures",)),
)  # fmt: skip
