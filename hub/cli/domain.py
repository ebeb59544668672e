"""`hub domain`: the domains that merchants prove."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, print_result, say, show_fields
from hub.clock import system_clock
from hub.domain.words import PROOFS

if TYPE_CHECKING:
    from hub.operations.merchants.domains import DomainDocument

OF_MERCHANT: Final = {"merchant": Value("--merchant", "The merchant's id, name or e-mail address.", "ID")}
DOMAINS: Final = Table(
    ["domain", "approved", "proved by", "proved", "what is missing"],
    itemgetter("domain", "approved", "method", "provedAt", "fault"),
    "This merchant has no domain.",
)


@click.group()
def domain() -> None:
    """Add, prove, list and remove the domains of a merchant."""


@domain.command()
@click.option("--merchant", required=True, metavar="ID", help=OF_MERCHANT["merchant"].about)
@click.argument("domain", metavar="DOMAIN")
@click.option("--by", type=click.Choice(PROOFS), help="Look in this place only.")
@invoked
def prove(invocation: Invocation, merchant: str, domain: str, by: str | None) -> None:
    """Ask the domain for its token; once it shows it, links and products may lead there."""
    from hub.operations.merchants.domains import prove_domain
    from hub.outbound.domain_proofs import DomainProofs

    settings = invocation.settings()
    proofs = DomainProofs(settings.outbound.allowed_networks)
    methods = [method for method in PROOFS if by in (None, method)]
    found = invocation.with_store(
        lambda store: prove_domain(store, system_clock, proofs, merchant, domain, methods), settings
    )
    print_result(invocation, found, lambda: _show(found))


def _show(document: DomainDocument) -> None:
    if document["approved"]:
        say(f"{document['domain']} is approved.")
        return
    proof = document["proof"]
    fields = {"last attempt": document["fault"]}
    if proof is not None:
        fields |= {
            "a file": f"https://{document['domain']}{proof['filePath']} with the line {proof['token']}",
            "or a meta tag": f"{proof['metaTag']} in the head of https://{document['domain']}/",
            "or a TXT record": f"of {proof['dnsName']} with the text {proof['token']}",
            "next": f"hub domain prove --merchant {document['merchantId']} {document['domain']}",
        }
    show_fields(f"{document['domain']} is not proved yet", fields)


DOMAIN: Final = {"domain": Value("", metavar="DOMAIN")}

for each in (
    ActCommand("list", "domains.listDomains", "List a merchant's domains.", DOMAINS, Takes(on=OF_MERCHANT)),
    ActCommand("add", "domains.addDomain",
               "Add a domain, and say what it has to show to be approved.\n\n"
               "Without a proof an operator approves a domain with: hub merchant update ID --add-domain DOMAIN.",
               _show, Takes(on=OF_MERCHANT, values=DOMAIN)),
    ActCommand("remove", "domains.removeDomain",
               "Remove a domain: links that lead there end, and products there are refused.",
               DOMAINS, Takes(on={**OF_MERCHANT, **DOMAIN})),
):  # fmt: skip
    domain.add_command(each)
