-- name: event_anywhere
-- Return one event by its id, in whichever account it is, and whether its payload is still stored.
SELECT e.account_id, e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id,
       e.received_at, e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic,
       a.merchant_id, a.mode, s.name AS merchant_name,
       EXISTS (SELECT 1 FROM payloads AS p WHERE p.account_id = e.account_id AND p.event_id = e.event_id) AS has_payload
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN events AS e
WHERE e.account_id = a.account_id AND e.event_id = :event_id

-- name: count_events_in_status
-- Return how many events in one status match each filter given, and how many of them have no payload; up to a limit.
SELECT COUNT(*) AS matched, COALESCE(SUM(CASE WHEN m.has_payload THEN 0 ELSE 1 END), 0) AS without_payload
FROM (SELECT EXISTS (SELECT 1 FROM payloads AS p
                     WHERE p.account_id = e.account_id AND p.event_id = e.event_id) AS has_payload
      FROM accounts AS a
      CROSS JOIN events AS u
      CROSS JOIN events AS e
      WHERE u.account_id = a.account_id AND u.status = :status
        AND (u.status = 'FAILED' OR u.status = 'UNMATCHED' OR u.status = 'PARKED')
        AND e.account_id = u.account_id AND e.event_id = u.event_id AND e.received_at >= :since
        AND (CAST(:merchant_id AS TEXT) IS NULL OR a.merchant_id = CAST(:merchant_id AS TEXT))
        AND (CAST(:mode AS TEXT) IS NULL OR a.mode = CAST(:mode AS TEXT))
        AND (CAST(:pattern AS TEXT) IS NULL OR lower(e.explanation) LIKE CAST(:pattern AS TEXT) ESCAPE '!')
        AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
        AND (CAST(:text AS TEXT) IS NULL OR lower(e.external_order_id) LIKE CAST(:text AS TEXT) ESCAPE '!'
             OR lower(e.external_event_id) LIKE CAST(:text AS TEXT) ESCAPE '!')
      LIMIT :limit) AS m

-- name: submitted_texts
-- Return the bodies of these events, those of conversions and order statuses; a body may be deleted already.
SELECT p.account_id, p.event_id, p.body
FROM @rows(:events; account_id text, event_id text) AS k
CROSS JOIN events AS e
JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE e.account_id = k.account_id AND e.event_id = k.event_id AND e.type <> 'webhook'
