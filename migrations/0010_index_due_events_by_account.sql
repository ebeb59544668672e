-- Lets accounts take turns: the due events of each, webhooks apart, see hub/processing/due_events.py.
CREATE INDEX events_due_by_account ON events ((CASE type WHEN 'webhook' THEN 1 ELSE 0 END), account_id, due_at)
    WHERE due_at IS NOT NULL;
