-- Uploads: CSV files on their way through the desk, and how far each has come.

CREATE TABLE uploads (
    account_id      TEXT   NOT NULL REFERENCES accounts (account_id),
    upload_id       TEXT   NOT NULL,
    kind            TEXT   NOT NULL CHECK (kind IN ('products', 'orders', 'statuses')),
    dry_run         BIGINT NOT NULL,              -- 1: judged, nothing applied
    source          TEXT   NOT NULL CHECK (source IN ('spool', 'command')),  -- who applies it: a server, or the command that entered it
    status          TEXT   NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'REFUSED')),
    sha256          TEXT   NOT NULL,
    file_bytes      BIGINT NOT NULL,
    read_bytes      BIGINT NOT NULL,              -- what lies before this byte is decided; 0: not begun
    read_lines      BIGINT NOT NULL,
    row_count       BIGINT NOT NULL,
    created         BIGINT NOT NULL,
    updated         BIGINT NOT NULL,
    duplicate       BIGINT NOT NULL,
    failed          BIGINT NOT NULL,
    verdict_bytes   BIGINT NOT NULL,              -- the verdict file is good up to here
    ignored_columns TEXT   NOT NULL,              -- JSON array
    faults          TEXT   NOT NULL,              -- JSON array: why the whole file was refused
    owner           TEXT   NOT NULL,              -- the process that works on it, '' for none
    lease_until     BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    started_at      BIGINT,
    finished_at     BIGINT,
    PRIMARY KEY (account_id, upload_id)
) {clustered};
CREATE INDEX uploads_open ON uploads (lease_until) WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX uploads_by_file ON uploads (account_id, sha256);
