"""TXT records of the DNS, asked of the machine's resolver."""

from __future__ import annotations

from typing import Final

import dns.asyncresolver
import dns.exception
import dns.resolver

from hub.outbound.fetch import FetchFault

DNS_SECONDS: Final = 5.0


async def system_txt_records(name: str) -> list[str]:
    """Ask the machine's resolver for TXT records; raise `FetchFault` if there are none."""
    return await txt_records_by(dns.asyncresolver.Resolver(), name)


async def txt_records_by(resolver: dns.asyncresolver.Resolver, name: str) -> list[str]:
    """Ask a resolver for TXT records; raise `FetchFault` if there are none."""
    try:
        answer = await resolver.resolve(name, "TXT", lifetime=DNS_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        raise FetchFault("does not exist") from None
    except dns.exception.DNSException as fault:
        raise FetchFault(f"cannot be looked up: {type(fault).__name__}") from None
    return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
