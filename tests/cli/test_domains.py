"""Domains that merchants prove, their profile, and live access."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from tests.cli.conftest import Operator

ALLOWED = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}


@contextmanager
def shop(texts: dict[str, str]) -> Iterator[str]:
    """Serve these texts by their paths from a thread of its own, and yield the domain."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = texts.get(self.path)
            self.send_response(404 if text is None else 200)
            self.end_headers()
            self.wfile.write((text or "").encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class TestDomains:
    def test_a_domain_is_approved_once_it_shows_its_token(self, either: Operator) -> None:
        """It is in the merchant's list from then on; a second proof changes nothing."""
        merchant, texts = either.merchant(), dict[str, str]()
        with shop(texts) as domain:
            added = either.do("domain", "add", "--merchant", merchant, domain)
            assert (added["approved"], added["provedAt"]) == (False, None)
            assert either.do("domain", "add", "--merchant", merchant, domain) == added
            prove = ("domain", "prove", "--merchant", merchant, domain, "--by", "file", "--json")
            assert "not a public address" in either.run(*prove).stdout
            assert "answered with status 404" in either.run(*prove, **ALLOWED).stdout
            texts["/.well-known/affiliate-hub.txt"] = added["proof"]["token"]
            assert '"approved": true' in either.run(*prove, **ALLOWED).stdout
        assert either.do("merchant", "show", merchant)["domains"] == ["shop.example", domain]
        listed = either.do("domain", "list", "--merchant", merchant)
        assert [(each["domain"], each["approved"], each["method"]) for each in listed] == [
            ("shop.example", True, None),
            (domain, True, "file"),
        ]
        acts = [act["act"] for act in either.do("trail", "--subject", merchant)]
        assert acts == ["domain.proved", "domain.added", "merchant.created"]

    def test_a_domain_is_removed_but_not_the_last(self, operator: Operator) -> None:
        merchant = operator.merchant("--domain", "second.example")
        assert "was not added" in operator.refused("domain", "prove", "--merchant", merchant, "third.example")
        left = operator.do("domain", "remove", "--merchant", merchant, "second.example")
        assert [each["domain"] for each in left] == ["shop.example"]
        assert "at least one" in operator.refused("domain", "remove", "--merchant", merchant, "shop.example")
        assert "does not have" in operator.refused("domain", "remove", "--merchant", merchant, "x.example")


COMPLETE = (
    "--legal-name", "Fjord & Fern GmbH", "--contact-name", "Ann", "--website", "https://shop.example",
    "--country", "de", "--address", "Way 1\n10115 Berlin", "--description", "Ferns in pots.",
)  # fmt: skip


class TestProfile:
    def test_a_complete_profile_is_reviewed(self, either: Operator) -> None:
        """The operator sees who waits; what is missing is named before that."""
        merchant = either.merchant()
        part = either.do("merchant", "profile", merchant, *COMPLETE[:4])
        assert (part["status"], part["missing"]) == ("PENDING", ["website", "country", "address", "description"])
        whole = either.do("merchant", "profile", merchant, *COMPLETE[4:])
        assert (whole["status"], whole["missing"], whole["fields"]["country"]) == ("IN_REVIEW", [], "DE")
        assert [(each["merchantId"], each["asks"]) for each in either.do("merchant", "waiting")] == [
            (merchant, "approval")
        ]
        either.do("merchant", "reject", merchant, "--reason", "The website is empty.")
        assert either.do("merchant", "waiting") == []
        assert either.do("merchant", "profile", merchant, "--phone", "030 1")["status"] == "IN_REVIEW"
        either.do("merchant", "approve", merchant)
        assert either.do("merchant", "profile", merchant, "--phone", "")["status"] == "APPROVED"

    def test_a_field_that_cannot_be_used_is_refused(self, operator: Operator) -> None:
        merchant = operator.merchant()
        assert "two letters" in operator.refused("merchant", "profile", merchant, "--country", "Germany")
        assert "write it like https" in operator.refused("merchant", "profile", merchant, "--website", "shop")

    def test_live_access_is_asked_for_and_decided(self, either: Operator) -> None:
        """Only an approved merchant asks; a refusal has a reason, after which it may ask again."""
        merchant = either.merchant()
        ask, grant, refuse = (("merchant", "live-access", merchant, act) for act in ("--ask", "--grant", "--refuse"))
        assert "is PENDING" in either.refused(*ask)
        either.do("merchant", "approve", merchant)
        asked = either.do(*ask)
        assert (asked["liveAccess"], either.do(*ask)) == ("ASKED", asked)
        assert [each["asks"] for each in either.do("merchant", "waiting")] == ["live access"]
        assert "needs a reason" in either.refused(*refuse)
        assert either.do(*refuse, "--reason", "No refund was tried.")["liveReason"] == "No refund was tried."
        assert either.do(*ask)["liveAccess"] == "ASKED"
        assert either.do(*grant)["liveAccess"] == either.do("merchant", "show", merchant)["liveAccess"] == "GRANTED"
        assert either.do("merchant", "waiting") == []
