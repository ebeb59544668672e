"""What VIES said of VAT numbers, as it is kept: the last answer, and the last question if that had none."""

from __future__ import annotations

from attrs import frozen

from hub.domain.instants import format_instant
from hub.domain.words import VatOutcome
from hub.storage import Row, Tx


@frozen
class VatKnown:
    """What is known of a number; each moment is ms UTC, None if it was never asked about.

    `outcome` is that of the last answer, or unreached if there was none yet; `asked_at` that of the last question.
    """

    outcome: VatOutcome | None = None
    answered_at: int | None = None
    consultation: str = ""
    asked_at: int | None = None
    fault: str = ""

    @property
    def proof(self) -> str:
        """Return what an invoice keeps of an answer that the number is valid, empty without one."""
        if self.outcome != "valid" or self.answered_at is None:
            return ""
        words = f"VIES, {format_instant(self.answered_at)[:10]}"
        return f"{words}, consultation number {self.consultation}" if self.consultation else words


NOT_ASKED = VatKnown()


async def vat_known(tx: Tx, party_id: str, subject: str) -> VatKnown:
    """Return what VIES said of a party's number; `subject` is as `vat_checks` has it."""
    rows = await tx.all("latest_vat_checks", party_id=party_id, subject=subject)
    return (
        NOT_ASKED if not rows else _known(rows[0], next((row for row in rows if row["outcome"] != "unreached"), None))
    )


def _known(last: Row, answer: Row | None) -> VatKnown:
    if answer is None:
        return VatKnown("unreached", None, "", last["asked_at"], last["fault"])
    return VatKnown(answer["outcome"], answer["asked_at"], answer["consultation"], last["asked_at"], last["fault"])
