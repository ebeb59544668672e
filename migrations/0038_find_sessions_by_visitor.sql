-- Whether an affiliate signed in as the visitor of a click is asked for each batch of orders.
CREATE INDEX sessions_by_visitor ON sessions (visitor) WHERE visitor IS NOT NULL;

-- For each event that it writes, SQLite would build the list of an IN with three words; equalities cost nothing.
DROP INDEX events_unused;
CREATE INDEX events_unused ON events (status, account_id, event_id)
    WHERE ((status = 'FAILED') OR (status = 'UNMATCHED') OR (status = 'PARKED'));
