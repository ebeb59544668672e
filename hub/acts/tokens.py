"""Tokens of the operators' and the affiliates' APIs."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import ADMINS, TOKEN_ROLES, Grant
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import PAGED
from hub.operations.users.api_tokens import TokenDocument, revoke_token, tokens_part


async def _tokens(c: Call) -> Any:
    return answer(await tokens_part(c.store, wanted_of(c)))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/tokens", "listTokens"), "List tokens, without their secrets", _tokens, ListOfEntries(TokenDocument),
        query=PAGED),
    Act(post("/tokens/{token}/revoke", "revokeToken"), "End a token at once",
        lambda c: revoke_token(c.store, c.clock, c.path["token"]), TokenDocument, trail=("token.revoked",),
        by=(ADMINS, Grant("account", TOKEN_ROLES)), commands=("token revoke",),
        pages=("/account/tokens/{token}/revoke", "/account/tokens/revoke")),
)  # fmt: skip
