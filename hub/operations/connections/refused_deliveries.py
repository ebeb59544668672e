"""What is wrong with a connection whose deliveries were refused within a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hub.storage import Row

SIGNATURE_CODES: Final = ("bad_signature", "missing_header", "duplicate_header", "no_secret")


def refused_deliveries(refusals: Sequence[Row], connection: Row) -> Iterator[str]:
    """Yield a sentence for each reason; `refusals` are rows of `connection_refusals`, `connection` is a connection's.

    Wrong signatures are told until a delivery is taken after them: then somebody has put the secret right.
    """
    counted = {each["error_code"]: each["refusals"] for each in refusals if not _is_mended(each)}
    if others := counted.get("another_site"):
        yield (
            f"{others} deliveries within a day came from another site than {connection['source']}, such as a copy of "
            "the shop, and were refused. If the shop has moved: "
            f"hub connection site {connection['connection_id']} --any"
        )
    if away := counted.get("connector_missing"):
        yield (
            f"{away} deliveries were answered 503 within a day, because the running hub had no connector for them; "
            "the platform sends them again. See `hub plugin list`."
        )
    if wrong := sum(counted.get(code, 0) for code in SIGNATURE_CODES):
        yield (
            f"{wrong} deliveries were refused within a day for their signature: the secret there and the one here "
            "differ, or something between changes the body."
        )


def _is_mended(refused: Row) -> bool:
    return refused["error_code"] in SIGNATURE_CODES and refused["taken_at"] > refused["last_at"]
