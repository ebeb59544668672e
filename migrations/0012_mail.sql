-- The outbox: a mail is written in the transaction of the act that causes it, and sent afterwards.

CREATE TABLE mails (
    mail_id     TEXT   NOT NULL PRIMARY KEY,
    user_id     TEXT   REFERENCES users (user_id),  -- whom it is about; null: nobody who has an account
    recipient   TEXT   NOT NULL,
    template    TEXT   NOT NULL,
    parameters  TEXT   NOT NULL,                    -- JSON of what it says beside the link; no secrets
    sealed_link TEXT,                               -- the link, sealed under the master key; null once it is sent
    expires_at  BIGINT,                             -- when the link ends
    status      TEXT   NOT NULL CHECK (status IN ('WAITING', 'SENT', 'GIVEN_UP')),
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    due_at      BIGINT,                             -- when it is to be tried; null: never again
    finished_at BIGINT,
    fault       TEXT                                -- why the last attempt failed
) {clustered};
CREATE INDEX mails_by_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_by_end ON mails (finished_at) WHERE finished_at IS NOT NULL;
