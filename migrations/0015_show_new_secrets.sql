-- Which session may look at a secret that it just made, and until when: a reload shows the same one again.
CREATE TABLE shown_secrets (
    session_id TEXT   NOT NULL,
    subject_id TEXT   NOT NULL,                   -- the id of a key, or of a connection's secret
    ends_at    BIGINT NOT NULL,
    PRIMARY KEY (session_id, subject_id)
) {clustered};
CREATE INDEX shown_secrets_by_end ON shown_secrets (ends_at);
