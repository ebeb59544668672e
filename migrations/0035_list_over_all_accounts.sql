-- What a store sent and the hub could not use, over all accounts; beside a primary key that begins alike, SQLite takes an
-- index only if more of its columns are given, so neither index begins with the account.
CREATE INDEX events_unused ON events (status, account_id, event_id) WHERE status IN ('FAILED', 'UNMATCHED', 'PARKED');
DROP INDEX events_of_connections;
CREATE INDEX events_of_connections ON events (connection_id, account_id, event_id) WHERE connection_id IS NOT NULL;
