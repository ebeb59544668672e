-- Rate limits over several processes: how much of each account's limits they have taken.
-- Soft state: unlogged on PostgreSQL, so that taking costs no wait for the disk. After a crash the windows start afresh.

CREATE {unlogged} TABLE limit_counts (
    account_id     TEXT   NOT NULL,
    limit_group    TEXT   NOT NULL,
    minute_ends_at BIGINT NOT NULL,               -- the windows that are open, and what all processes took of them
    minute_used    BIGINT NOT NULL,
    hour_ends_at   BIGINT NOT NULL,
    hour_used      BIGINT NOT NULL,
    PRIMARY KEY (account_id, limit_group)
) {clustered};
