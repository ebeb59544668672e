-- name: simulated_messages
-- Return every message and what became of it.
SELECT subscription_id, subject, number, message_id, status FROM webhook_deliveries ORDER BY message_id

-- name: decided_again
-- Return the events that were taken up again after they had been decided.
SELECT event_id FROM decided_again ORDER BY event_id

-- name: simulated_work
-- Return when the next event or message may be done that is not done, nothing if all are.
SELECT due_at FROM (
    SELECT due_at FROM events WHERE account_id = :account_id AND status IN ('RECEIVED', 'QUEUED')
    UNION ALL
    SELECT MAX(d.due_at, s.next_at, s.lease_until)
    FROM webhook_deliveries AS d
    JOIN subscriptions AS s ON s.subscription_id = d.subscription_id
    WHERE d.status = 'WAITING'
) AS work
ORDER BY due_at
LIMIT 1
