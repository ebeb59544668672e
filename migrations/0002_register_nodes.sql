-- The processes that serve this database. Each writes its row every second, which proves that it can write.

CREATE TABLE nodes (
    node_id         TEXT   NOT NULL PRIMARY KEY,
    started_at      BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL,              -- the newest one is compared with the clock when a process starts
    master_keys     TEXT   NOT NULL,              -- JSON array of the ids of the master keys that it can open with
    clock_jump_ms   BIGINT NOT NULL,              -- by how much its clock jumped and is not trusted yet; 0: trusted
    clock_confirmed BIGINT NOT NULL               -- 1: an operator says that its clock is right
);
