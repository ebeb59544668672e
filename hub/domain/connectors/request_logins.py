"""What a connector declares of proving itself to its platform: credentials, logins, tokens that end, consents."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.domain.connectors.request_calls import Call


@frozen
class Credential:
    """One value that the store owner gives, or that the platform grants: {`name`} in every path, header and body.

    `label` is what the form calls it. One that is not `is_secret` may be shown again, such as a shop's address.
    `pattern` is a regular expression that the whole value matches (empty: anything), `hint` an example. One that is not
    `is_typed` is only ever granted by the platform, such as an access token. One that is not `is_required` may be left
    out, such as a token where an app's id and secret fetch one.
    """

    name: str
    label: str
    is_secret: bool = True
    pattern: str = ""
    hint: str = ""
    is_typed: bool = True
    is_required: bool = True


@frozen
class BasicLogin:
    """HTTP Basic with a `name` and a `secret`, such as "{key}" and "{secret}"."""

    name: str
    secret: str


@frozen
class TokenHeader:
    """A token in the header `header`; `value` is what it holds, such as "Bearer {token}"."""

    header: str
    value: str = "{token}"


@frozen
class TokenGrant:
    """How an access token that ends is fetched and renewed: by a POST of `form` to `url`, before `login` can be used.

    `form` has names and values, sent in `encoding`. In the answer, `token` is the field of the token, kept as {token},
    `refresh_token` that of the next {refresh_token} (empty: there is none), `lifetime` that of its seconds, or else
    `ends` that of its end, in seconds since 1970. The hub fetches one if it has none, if it is about to end, and once
    after a 401. `login` is for a platform that takes the client's id and secret in a header (RFC 6749, section 2.3.1)
    and not in the form.
    """

    url: str
    form: tuple[tuple[str, str], ...]
    encoding: Literal["form", "json"] = "form"
    token: str = "access_token"  # noqa: S105 - the name of a field
    refresh_token: str = ""
    lifetime: str = "expires_in"
    login: BasicLogin | None = None
    ends: str = ""


@frozen
class KeyConsent:
    """A page of the shop on which its owner agrees, after which the shop posts keys to the hub (WooCommerce).

    `page` is its URL, with {callback} for where the keys are posted, {returns} for where the owner returns to, and
    {state}, which the shop posts back in the field `state`. `grants` are names of credentials and the fields that they
    are posted in. `mend` says what to look at if the keys do not work: the shop itself shows its owner no reason.
    """

    page: str
    grants: tuple[tuple[str, str], ...]
    state: str = "user_id"
    mend: str = ""


@frozen
class OAuthConsent:
    """A page of the platform on which the owner installs the operator's app (OAuth 2, RFC 6749, section 4.1).

    `page` is its URL, with {client_id}, {callback}, {state} and {scopes}, which are `scopes` joined with `separator`: a
    space by the standard, a comma on many platforms. `token` then exchanges the {code} that the platform returns with,
    as {client_id} and {client_secret}, which are in its body, or else in a header by `login`; `grants` are names of
    credentials and where they are in its answer. `query_hmac` names the parameter that has the HMAC-SHA256 of the
    others under the client secret, in hex (Shopify). `same` are parameters that must repeat the credential of that
    name. If `signs`, the platform signs deliveries with the client secret.

    `renewal` is for access tokens that end: the answer of `token` then has the same fields as its own, and its form may
    have {client_id} and {client_secret}, too. A platform that offers PKCE (RFC 7636) has {code_challenge} in `page`, by
    the method S256, and {code_verifier} in `token`.
    """

    page: str
    token: Call
    grants: tuple[tuple[str, str], ...]
    scopes: tuple[str, ...] = ()
    query_hmac: str = ""
    same: tuple[str, ...] = ()
    signs: bool = False
    renewal: TokenGrant | None = None
    separator: Literal[",", " "] = ","
    login: BasicLogin | None = None

    @property
    def asked_scopes(self) -> str:
        """The scopes as the platform reads them, for {scopes}."""
        return self.separator.join(self.scopes)
