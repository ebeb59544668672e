"""What the probes of a hub ask of its parts: why it is not ready, and what its operator should know all the same."""

from __future__ import annotations

from functools import partial

from hub.http.admission import Admission
from hub.intake.submission_batcher import SubmissionBatcher
from hub.observability.health import HealthEndpoints
from hub.observability.worker_metrics import SiblingMetrics
from hub.operations.audits.troubles import trouble_document
from hub.operations.system.plugins import plugin_fault, plugin_notices
from hub.parts import Parts
from hub.processing.worker import Worker

REFUSED_SECONDS = 5.0
"""How long a hub whose store refused a batch is not ready; the next batch shows whether it is."""


def build_health(parts: Parts, siblings: SiblingMetrics | None) -> HealthEndpoints:
    """Return the probes and metrics."""
    submissions = parts.submissions
    return HealthEndpoints(
        heartbeat=parts.heartbeat,
        backlog=parts.backlog,
        metrics=parts.metrics,
        note_gauges=lambda: parts.metrics.submissions_waiting.set(submissions.waiting),
        clock_jump_ms=lambda: parts.clock_guard.jump_ms,
        checks=[
            partial(_stopping, parts.services.admission),
            partial(_worker_fault, parts.worker),
            partial(_intake_fault, submissions),
            partial(plugin_fault, parts.plugins),
        ],
        siblings=siblings,
        notices=lambda: [*plugin_notices(parts.plugins, parts.plugin_state), *parts.telling.board.notices()],
        troubles=lambda: [trouble_document(each, each.since) for each in parts.telling.board.shown],
        plugins=parts.plugin_state.document,
    )


def _stopping(admission: Admission) -> str | None:
    return "The hub stops." if admission.draining else None


def _worker_fault(worker: Worker | None) -> str | None:
    return None if worker is None or worker.alive else "The worker does not run; restart the hub."


def _intake_fault(submissions: SubmissionBatcher) -> str | None:
    if not submissions.alive:
        return "The intake does not run; restart the hub."
    failed = submissions.failed_seconds
    return "The store refused the last requests." if failed is not None and failed < REFUSED_SECONDS else None
