"""What a list lacks, repeats or has beside what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


def difference(found: Sequence[str], stored: Sequence[str]) -> str:
    """How what was found differs from what is stored, empty if it does not."""
    repeated = sorted(each for each, times in Counter(found).items() if times > 1)
    lacking, strange = sorted(set(stored) - set(found)), sorted(set(found) - set(stored))
    if lacking:
        return f"lacks {len(lacking)} of {len(stored)}: {lacking[-1]}"
    if repeated:
        return f"repeats {len(repeated)}: {repeated[-1]}"
    return f"has {len(strange)} that are not stored: {strange[-1]}" if strange else ""


def unexpected(faults: Mapping[str, str]) -> str:
    """A line for each list with a fault, empty for none.

    `faults` has every list that was walked: what is wrong with it, empty if nothing is.
    """
    return "\n".join(f"{name}: {fault}" for name, fault in faults.items() if fault)
