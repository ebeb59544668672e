-- Beside a primary key that begins alike, SQLite takes an index only if more of its columns are given.
DROP INDEX events_failed;
CREATE INDEX events_failed ON events (status, account_id, event_id) WHERE status = 'FAILED';
