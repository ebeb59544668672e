"""What `make bench BESIDE=COMMIT` asks of both: an order accepted, an order decided, and a look at its event."""

from __future__ import annotations

from bench.measures import conversions, reads
from bench.plan import Measure

MEASURE = Measure(
    "order",
    "an order accepted, decided and looked up on SQLite: rate, processor time, bytes to the disk",
    (conversions.SQLITE, conversions.DECIDED, reads.EVENT),
    standard=False,
)
