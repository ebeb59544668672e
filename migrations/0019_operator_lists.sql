-- The operator's list of all links, newest first.
CREATE INDEX links_by_age ON links (created_at, code);

-- The runs of the audit, so that a page can say when the last one was and what it found.
CREATE TABLE audit_runs (
    run_id      TEXT   NOT NULL PRIMARY KEY,      -- uuid7: sorts by time
    started_at  BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    accepted    BIGINT NOT NULL,                  -- submissions
    conversions BIGINT NOT NULL,                  -- compared with their facts
    violations  BIGINT NOT NULL
);
