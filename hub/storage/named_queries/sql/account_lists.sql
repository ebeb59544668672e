-- name: conversions_of_account_below
-- Return conversions of an account below an id that match each filter given, newest first.
SELECT c.*
FROM listed_conversions AS c
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
WHERE c.account_id = :account_id AND c.conversion_id < :cursor
  AND (CAST(:status AS TEXT) IS NULL OR COALESCE(m.state, CASE c.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE c.review END)
       = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR c.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR c.received_at < CAST(:created_to AS BIGINT))
ORDER BY c.conversion_id DESC
LIMIT :limit

-- name: conversions_changed_below
-- Return conversions of an account below an id that changed since a moment and match each filter given, newest first.
SELECT c.*
FROM (SELECT conversion_id FROM commissions WHERE account_id = :account_id AND updated_at >= :updated_since
      UNION SELECT conversion_id FROM conversions
      WHERE account_id = :account_id AND review = 'OPEN' AND created_at >= :updated_since
      UNION SELECT conversion_id FROM conversions WHERE account_id = :account_id AND reviewed_at >= :updated_since) AS k
JOIN listed_conversions AS c ON c.account_id = :account_id AND c.conversion_id = k.conversion_id
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
WHERE c.conversion_id < :cursor
  AND (CAST(:status AS TEXT) IS NULL OR COALESCE(m.state, CASE c.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE c.review END)
       = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR c.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR c.received_at < CAST(:created_to AS BIGINT))
ORDER BY c.conversion_id DESC
LIMIT :limit

-- name: open_reviews_of_account_below
-- Return conversions of an account below an id that wait for a review, newest first.
SELECT c.*
FROM listed_conversions AS c
WHERE c.account_id = :account_id AND c.conversion_id < :cursor AND c.review = 'OPEN'
ORDER BY c.conversion_id DESC
LIMIT :limit

-- name: commissions_of_account_below
-- Return commissions of an account below an id that match each filter given, newest first.
SELECT m.*
FROM listed_commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE m.account_id = :account_id AND m.commission_id < :cursor
  AND (CAST(:status AS TEXT) IS NULL OR m.state = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR m.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:updated_since AS BIGINT) IS NULL OR m.updated_at >= CAST(:updated_since AS BIGINT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR m.created_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR m.created_at < CAST(:created_to AS BIGINT))
ORDER BY m.commission_id DESC
LIMIT :limit

-- name: events_of_account_below
-- Return events of an account below an id that match each filter given, newest first.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM events AS e
WHERE e.account_id = :account_id AND e.event_id < :cursor
  AND (CAST(:status AS TEXT) IS NULL OR e.status = CAST(:status AS TEXT))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:kind AS TEXT) IS NULL OR e.kind = CAST(:kind AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR e.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR e.received_at < CAST(:created_to AS BIGINT))
ORDER BY e.event_id DESC
LIMIT :limit

-- name: failed_events_of_account_below
-- Return events of an account below an id that failed and match each filter given, newest first.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM events AS e
WHERE e.account_id = :account_id AND e.event_id < :cursor AND e.status = 'FAILED'
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:kind AS TEXT) IS NULL OR e.kind = CAST(:kind AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR e.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR e.received_at < CAST(:created_to AS BIGINT))
ORDER BY e.event_id DESC
LIMIT :limit

-- name: events_of_order_below
-- Return events of one order below an id that match each filter given, newest first.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM (SELECT event_id FROM claims WHERE account_id = :account_id AND scope = 'order' AND claim_key = :external_order_id
      UNION SELECT event_id FROM claims
      WHERE account_id = :account_id AND scope = 'status' AND claim_key >= :claims_from AND claim_key < :claims_to
        AND substr(claim_key, 1, length(:claims_from)) = :claims_from
      UNION SELECT event_id FROM order_facts WHERE account_id = :account_id AND external_order_id = :external_order_id
      UNION SELECT event_id FROM parked_news WHERE account_id = :account_id AND external_order_id = :external_order_id
     ) AS k
JOIN events AS e ON e.account_id = :account_id AND e.event_id = k.event_id
WHERE e.event_id < :cursor
  AND (CAST(:status AS TEXT) IS NULL OR e.status = CAST(:status AS TEXT))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:kind AS TEXT) IS NULL OR e.kind = CAST(:kind AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR e.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR e.received_at < CAST(:created_to AS BIGINT))
ORDER BY e.event_id DESC
LIMIT :limit

-- name: requests_of_account_below
-- Return the request log of an account below a moment and id, of one errorCode or status if given, newest first.
SELECT r.logged_at, r.log_id, r.request_id, r.method, r.path, r.status, r.error_code, r.key_id, r.client, r.duration_us,
       r.detail,
       (SELECT a.mode FROM accounts AS a WHERE a.account_id = r.account_id) AS mode
FROM request_log AS r
WHERE r.account_id = :account_id AND (r.logged_at, r.log_id) < (:logged_at, :log_id)
  AND r.logged_at >= :created_from AND r.logged_at < :created_to
  AND (CAST(:error_code AS TEXT) IS NULL OR r.error_code = CAST(:error_code AS TEXT))
  AND (CAST(:status AS BIGINT) IS NULL OR r.status = CAST(:status AS BIGINT))
ORDER BY r.logged_at DESC, r.log_id DESC
LIMIT :limit

-- name: failed_requests_of_account_below
-- Return the refused requests of an account below a moment and id, with one errorCode, newest first.
SELECT r.logged_at, r.log_id, r.request_id, r.method, r.path, r.status, r.error_code, r.key_id, r.client, r.duration_us,
       r.detail,
       (SELECT a.mode FROM accounts AS a WHERE a.account_id = r.account_id) AS mode
FROM request_log AS r
WHERE r.account_id = :account_id AND (r.logged_at, r.log_id) < (:logged_at, :log_id)
  AND r.logged_at >= :created_from AND r.logged_at < :created_to
  AND r.error_code IS NOT NULL AND r.error_code = :error_code
  AND (CAST(:status AS BIGINT) IS NULL OR r.status = CAST(:status AS BIGINT))
ORDER BY r.logged_at DESC, r.log_id DESC
LIMIT :limit

-- name: affiliates_of_account_below
-- Return the affiliates that have a link or an approved membership in an account, below an id, in the order of ids.
SELECT f.affiliate_id, f.name, f.status
FROM (SELECT affiliate_id FROM links WHERE account_id = :account_id
      UNION SELECT affiliate_id FROM memberships WHERE account_id = :account_id AND status = 'APPROVED') AS k
JOIN affiliates AS f ON f.affiliate_id = k.affiliate_id
WHERE f.affiliate_id < :cursor
ORDER BY f.affiliate_id DESC
LIMIT :limit

-- name: conversions_of_account_above
-- Return conversions of an account above an id that match each filter given, oldest first.
SELECT c.*
FROM listed_conversions AS c
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
WHERE c.account_id = :account_id AND c.conversion_id > :cursor
  AND (CAST(:status AS TEXT) IS NULL OR COALESCE(m.state, CASE c.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE c.review END)
       = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR c.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR c.received_at < CAST(:created_to AS BIGINT))
ORDER BY c.conversion_id
LIMIT :limit

-- name: conversions_changed_above
-- Return conversions of an account above an id that changed since a moment and match each filter given, oldest first.
SELECT c.*
FROM (SELECT conversion_id FROM commissions WHERE account_id = :account_id AND updated_at >= :updated_since
      UNION SELECT conversion_id FROM conversions
      WHERE account_id = :account_id AND review = 'OPEN' AND created_at >= :updated_since
      UNION SELECT conversion_id FROM conversions WHERE account_id = :account_id AND reviewed_at >= :updated_since) AS k
JOIN listed_conversions AS c ON c.account_id = :account_id AND c.conversion_id = k.conversion_id
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
WHERE c.conversion_id > :cursor
  AND (CAST(:status AS TEXT) IS NULL OR COALESCE(m.state, CASE c.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE c.review END)
       = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR c.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR c.received_at < CAST(:created_to AS BIGINT))
ORDER BY c.conversion_id
LIMIT :limit

-- name: open_reviews_of_account_above
-- Return conversions of an account above an id that wait for a review, oldest first.
SELECT c.*
FROM listed_conversions AS c
WHERE c.account_id = :account_id AND c.conversion_id > :cursor AND c.review = 'OPEN'
ORDER BY c.conversion_id
LIMIT :limit

-- name: commissions_of_account_above
-- Return commissions of an account above an id that match each filter given, oldest first.
SELECT m.*
FROM listed_commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE m.account_id = :account_id AND m.commission_id > :cursor
  AND (CAST(:status AS TEXT) IS NULL OR m.state = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR m.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:updated_since AS BIGINT) IS NULL OR m.updated_at >= CAST(:updated_since AS BIGINT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR m.created_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR m.created_at < CAST(:created_to AS BIGINT))
ORDER BY m.commission_id
LIMIT :limit

-- name: events_of_account_above
-- Return events of an account above an id that match each filter given, oldest first.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM events AS e
WHERE e.account_id = :account_id AND e.event_id > :cursor
  AND (CAST(:status AS TEXT) IS NULL OR e.status = CAST(:status AS TEXT))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:kind AS TEXT) IS NULL OR e.kind = CAST(:kind AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR e.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR e.received_at < CAST(:created_to AS BIGINT))
ORDER BY e.event_id
LIMIT :limit

-- name: failed_events_of_account_above
-- Return events of an account above an id that failed and match each filter given, oldest first.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM events AS e
WHERE e.account_id = :account_id AND e.event_id > :cursor AND e.status = 'FAILED'
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:kind AS TEXT) IS NULL OR e.kind = CAST(:kind AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR e.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR e.received_at < CAST(:created_to AS BIGINT))
ORDER BY e.event_id
LIMIT :limit

-- name: events_of_order_above
-- Return events of one order above an id that match each filter given, oldest first.
SELECT e.event_id, e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       e.external_order_id
FROM (SELECT event_id FROM claims WHERE account_id = :account_id AND scope = 'order' AND claim_key = :external_order_id
      UNION SELECT event_id FROM claims
      WHERE account_id = :account_id AND scope = 'status' AND claim_key >= :claims_from AND claim_key < :claims_to
        AND substr(claim_key, 1, length(:claims_from)) = :claims_from
      UNION SELECT event_id FROM order_facts WHERE account_id = :account_id AND external_order_id = :external_order_id
      UNION SELECT event_id FROM parked_news WHERE account_id = :account_id AND external_order_id = :external_order_id
     ) AS k
JOIN events AS e ON e.account_id = :account_id AND e.event_id = k.event_id
WHERE e.event_id > :cursor
  AND (CAST(:status AS TEXT) IS NULL OR e.status = CAST(:status AS TEXT))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:kind AS TEXT) IS NULL OR e.kind = CAST(:kind AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR e.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR e.received_at < CAST(:created_to AS BIGINT))
ORDER BY e.event_id
LIMIT :limit

-- name: requests_of_account_above
-- Return the request log of an account above a moment and id, of one errorCode or status if given, oldest first.
SELECT r.logged_at, r.log_id, r.request_id, r.method, r.path, r.status, r.error_code, r.key_id, r.client, r.duration_us,
       r.detail,
       (SELECT a.mode FROM accounts AS a WHERE a.account_id = r.account_id) AS mode
FROM request_log AS r
WHERE r.account_id = :account_id AND (r.logged_at, r.log_id) > (:logged_at, :log_id)
  AND r.logged_at >= :created_from AND r.logged_at < :created_to
  AND (CAST(:error_code AS TEXT) IS NULL OR r.error_code = CAST(:error_code AS TEXT))
  AND (CAST(:status AS BIGINT) IS NULL OR r.status = CAST(:status AS BIGINT))
ORDER BY r.logged_at, r.log_id
LIMIT :limit

-- name: failed_requests_of_account_above
-- Return the refused requests of an account above a moment and id, with one errorCode, oldest first.
SELECT r.logged_at, r.log_id, r.request_id, r.method, r.path, r.status, r.error_code, r.key_id, r.client, r.duration_us,
       r.detail,
       (SELECT a.mode FROM accounts AS a WHERE a.account_id = r.account_id) AS mode
FROM request_log AS r
WHERE r.account_id = :account_id AND (r.logged_at, r.log_id) > (:logged_at, :log_id)
  AND r.logged_at >= :created_from AND r.logged_at < :created_to
  AND r.error_code IS NOT NULL AND r.error_code = :error_code
  AND (CAST(:status AS BIGINT) IS NULL OR r.status = CAST(:status AS BIGINT))
ORDER BY r.logged_at, r.log_id
LIMIT :limit

-- name: affiliates_of_account_above
-- Return the affiliates that have a link or an approved membership in an account, above an id, in the order of ids.
SELECT f.affiliate_id, f.name, f.status
FROM (SELECT affiliate_id FROM links WHERE account_id = :account_id
      UNION SELECT affiliate_id FROM memberships WHERE account_id = :account_id AND status = 'APPROVED') AS k
JOIN affiliates AS f ON f.affiliate_id = k.affiliate_id
WHERE f.affiliate_id > :cursor
ORDER BY f.affiliate_id
LIMIT :limit

-- name: conversion_of_account
-- Return one conversion of an account, by its id or by its order, whichever is given.
SELECT c.*
FROM (SELECT account_id, conversion_id FROM conversions
      WHERE account_id = :account_id AND conversion_id = :conversion_id
      UNION SELECT account_id, conversion_id FROM conversions
      WHERE account_id = :account_id AND external_order_id = :external_order_id) AS k
JOIN listed_conversions AS c ON c.account_id = k.account_id AND c.conversion_id = k.conversion_id

-- name: conversion_of_order
-- Return the conversion of an account's order if it matches each filter given.
SELECT c.*
FROM conversions AS k
JOIN listed_conversions AS c ON c.account_id = k.account_id AND c.conversion_id = k.conversion_id
LEFT JOIN commissions AS m ON m.account_id = k.account_id AND m.conversion_id = k.conversion_id
WHERE k.account_id = :account_id AND k.external_order_id = :external_order_id
  AND (CAST(:status AS TEXT) IS NULL OR COALESCE(m.state, CASE k.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE k.review END)
       = CAST(:status AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR k.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:campaign_id AS TEXT) IS NULL OR k.campaign_id = CAST(:campaign_id AS TEXT))
  AND (CAST(:created_from AS BIGINT) IS NULL OR k.received_at >= CAST(:created_from AS BIGINT))
  AND (CAST(:created_to AS BIGINT) IS NULL OR k.received_at < CAST(:created_to AS BIGINT))
  AND (CAST(:updated_since AS BIGINT) IS NULL OR m.updated_at >= CAST(:updated_since AS BIGINT)
       OR k.reviewed_at >= CAST(:updated_since AS BIGINT)
       OR (k.review = 'OPEN' AND k.created_at >= CAST(:updated_since AS BIGINT)))

-- name: commission_of_account
-- Return one commission of an account.
SELECT m.*
FROM listed_commissions AS m
WHERE m.account_id = :account_id AND m.commission_id = :commission_id

-- name: link_of_account
-- Return the code of a link, if it is the account's.
SELECT code FROM links WHERE account_id = :account_id AND code = :code

-- name: conversion_id_of_account
-- Return the id of a conversion, if it is the account's.
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND conversion_id = :conversion_id

-- name: progress_of_conversions
-- Return the explanation and the commission's state of these conversions, named with their reviews and events.
SELECT k.conversion_id, k.review, e.explanation, m.state, m.awaits_deposit
FROM @rows(:conversions; account_id text, conversion_id text, event_id text, review text) AS k
LEFT JOIN events AS e ON e.account_id = k.account_id AND e.event_id = k.event_id
LEFT JOIN commissions AS m ON m.account_id = k.account_id AND m.conversion_id = k.conversion_id
