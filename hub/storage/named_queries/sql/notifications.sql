-- name: subscriptions
-- Return subscriptions that are not deleted, with how many messages wait, up to 10,000.
-- list: by subscription_id text; small
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter affiliate_id text: s.affiliate_id = :affiliate_id
-- filter subscription_id text: s.subscription_id = :subscription_id
-- filter account_id text: s.account_id = :account_id
SELECT s.subscription_id, s.account_id, s.affiliate_id, s.kind, s.url, s.description, s.patterns, s.payload_version,
       s.secrets, s.status, s.reason, s.failures, s.failing_since, s.next_at, s.created_at, a.merchant_id,
       COALESCE(s.mode, a.mode) AS mode,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM webhook_deliveries AS d
                              WHERE d.subscription_id = s.subscription_id AND d.due_at IS NOT NULL LIMIT 10000) AS w)
       AS waiting
FROM @listed(subscriptions AS s)
LEFT JOIN accounts AS a ON a.account_id = s.account_id
WHERE s.status <> 'DELETED' AND @filters
ORDER BY @order
LIMIT :limit

-- name: deliveries
-- Return messages of a subscription, with the receiver's answers.
-- list: by message_id text; indexed (subscription_id) in webhook_deliveries_by_message, (subscription_id, message_id) in webhook_deliveries_by_message
-- filter subscription_id text: d.subscription_id = :subscription_id
-- filter message_id text: d.message_id = :message_id
SELECT d.account_id, d.subscription_id, d.subject, d.number, d.message_id, d.event_type, d.data, d.payload_version,
       d.status, d.attempts, d.created_at, d.due_at, d.finished_at, d.answer_status, d.answer, d.fault, a.merchant_id, a.mode,
       (SELECT c.subs FROM conversions AS v
        JOIN clicks AS c ON c.account_id = v.account_id AND c.click_id = v.click_id
        WHERE v.account_id = d.account_id AND v.conversion_id = d.subject) AS subs
FROM @listed(webhook_deliveries AS d)
JOIN accounts AS a ON a.account_id = d.account_id

-- name: load_watched
-- Return those of these accounts that have a subscription, and '' if an affiliate has one.
SELECT k.account_id
FROM @rows(:accounts; account_id text) AS k
WHERE EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.account_id = k.account_id AND s.status <> 'DELETED')
UNION ALL
SELECT '' AS account_id
WHERE EXISTS (SELECT 1 FROM subscriptions AS s WHERE s.affiliate_id IS NOT NULL AND s.status <> 'DELETED')

-- name: queue_messages
-- Insert messages for every subscription that wants them, behind those of the same subject.
INSERT INTO webhook_deliveries (account_id, subscription_id, subject, number, message_id, event_type, data,
                                payload_version, status, attempts, created_at, due_at)
SELECT k.account_id, s.subscription_id, k.subject,
       k.place + COALESCE((SELECT MAX(d.number) FROM webhook_deliveries AS d
                           WHERE d.account_id = k.account_id AND d.subscription_id = s.subscription_id
                             AND d.subject = k.subject), 0),
       k.message_id, k.event_type, k.data, k.payload_version, 'WAITING', 0, k.created_at, k.created_at
FROM @rows(:messages; account_id text, affiliate_id text, subject text, place bigint, message_id text, event_type text,
           data text, created_at bigint, payload_version text) AS k
JOIN accounts AS a ON a.account_id = k.account_id
JOIN subscriptions AS s ON s.account_id = k.account_id OR (s.affiliate_id = k.affiliate_id AND s.mode = a.mode)
WHERE s.status <> 'DELETED' AND s.event_types LIKE '%,' || k.event_type || ',%'

-- name: insert_delivery
-- Insert a message for one subscription, behind nothing.
INSERT INTO webhook_deliveries (account_id, subscription_id, subject, number, message_id, event_type, data,
                                payload_version, status, attempts, created_at, due_at)
VALUES (:account_id, :subscription_id, :subject, 1, :message_id, :event_type, :data, :version, 'WAITING', 0, :now, :now)

-- name: insert_subscription
-- Insert a subscription.
INSERT INTO subscriptions (subscription_id, account_id, affiliate_id, mode, kind, url, description, patterns,
                           event_types, payload_version, secrets, status, reason, failures, next_at, lease_until, created_at)
VALUES (:subscription_id, CAST(:account_id AS TEXT), CAST(:affiliate_id AS TEXT), CAST(:mode AS TEXT), :kind, :url,
        CAST(:description AS TEXT), :patterns, :event_types, :version, :secrets, :status, CAST(:reason AS TEXT), 0, 0, 0, :now)

-- name: update_subscription
-- Replace where the messages of a subscription go, which they are and their version; another address is tried at once.
UPDATE subscriptions
SET failures = CASE WHEN url = :url THEN failures ELSE 0 END,
    failing_since = CASE WHEN url = :url THEN failing_since ELSE NULL END,
    next_at = CASE WHEN url = :url THEN next_at ELSE 0 END,
    url = :url, description = CAST(:description AS TEXT), patterns = :patterns, event_types = :event_types,
    payload_version = :version
WHERE subscription_id = :subscription_id AND status <> 'DELETED'

-- name: try_receiver_now
-- Set the pause of a subscription's receiver aside.
UPDATE subscriptions SET next_at = 0 WHERE subscription_id = :subscription_id AND status = 'ACTIVE'

-- name: set_subscription_status
-- Set the status of a subscription; one that is resumed is tried at once.
UPDATE subscriptions
SET status = :status, reason = CAST(:reason AS TEXT), failures = 0, failing_since = NULL, next_at = 0
WHERE subscription_id = :subscription_id AND status <> 'DELETED'

-- name: set_subscription_secrets
-- Replace the secrets of a subscription, if they are still those that were read.
UPDATE subscriptions SET secrets = :new WHERE subscription_id = :subscription_id AND secrets = :old

-- name: subscription_secret_page
-- Return a page of the sealed secrets of subscriptions, in the order of their ids.
SELECT subscription_id, secrets FROM subscriptions WHERE subscription_id > :after ORDER BY subscription_id LIMIT :limit

-- name: drop_deliveries
-- Delete the messages of a subscription that wait.
DELETE FROM webhook_deliveries WHERE subscription_id = :subscription_id AND due_at IS NOT NULL

-- name: due_subscriptions
-- Return the subscriptions for which something is due, those that waited longest first.
SELECT s.subscription_id, s.kind, s.url, s.affiliate_id, s.payload_version, s.secrets, s.failures, s.failing_since
FROM subscriptions AS s
WHERE s.status = 'ACTIVE' AND s.next_at <= :now AND s.lease_until <= :now
  AND EXISTS (SELECT 1 FROM webhook_deliveries AS d
              WHERE d.subscription_id = s.subscription_id AND d.due_at IS NOT NULL AND d.due_at <= :now)
ORDER BY s.next_at, s.subscription_id
LIMIT :limit

-- name: claim_subscription
-- Take the lease of a subscription, unless another process has it or it was paused.
UPDATE subscriptions SET lease_until = :until
WHERE subscription_id = :subscription_id AND lease_until <= :now AND status = 'ACTIVE'

-- name: clear_subscription_leases
-- Set every subscription free, for a store that no other process sends from.
UPDATE subscriptions SET lease_until = 0 WHERE lease_until > 0

-- name: next_deliveries
-- Return the next messages of a subscription: of each subject the first that waits, if it is due; oldest first.
SELECT d.account_id, d.subscription_id, d.subject, d.number, d.message_id, d.event_type, d.data, d.payload_version,
       d.attempts, d.created_at, a.merchant_id, a.mode,
       (SELECT c.subs FROM conversions AS v
        JOIN clicks AS c ON c.account_id = v.account_id AND c.click_id = v.click_id
        WHERE v.account_id = d.account_id AND v.conversion_id = d.subject) AS subs
FROM webhook_deliveries AS d
JOIN accounts AS a ON a.account_id = d.account_id
WHERE d.subscription_id = :subscription_id AND d.due_at IS NOT NULL AND d.due_at <= :now
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS e
                  WHERE e.account_id = d.account_id AND e.subscription_id = d.subscription_id AND e.subject = d.subject
                    AND e.number < d.number AND e.due_at IS NOT NULL)
ORDER BY d.due_at, d.message_id
LIMIT :limit

-- name: note_delivery
-- Store what became of an attempt to deliver a message.
UPDATE webhook_deliveries
SET attempts = attempts + 1, status = :status, due_at = CAST(:due_at AS BIGINT),
    finished_at = CAST(:finished_at AS BIGINT), answer_status = CAST(:answer_status AS BIGINT),
    answer = CAST(:answer AS TEXT), fault = CAST(:fault AS TEXT)
WHERE account_id = :account_id AND subscription_id = :subscription_id AND subject = :subject AND number = :number
  AND due_at IS NOT NULL

-- name: note_attempt
-- Insert an attempt to deliver a message that failed.
INSERT INTO webhook_attempts (account_id, subscription_id, message_id, ended_at, answer_status, answer, fault)
VALUES (:account_id, :subscription_id, :message_id, :now, CAST(:answer_status AS BIGINT), CAST(:answer AS TEXT), :fault)
ON CONFLICT (account_id, subscription_id, message_id, ended_at) DO NOTHING

-- name: attempts_of_message
-- Return the attempts of a message that are kept beside it, newest first.
SELECT ended_at, answer_status, answer, fault FROM webhook_attempts
WHERE account_id = :account_id AND subscription_id = :subscription_id AND message_id = :message_id
ORDER BY ended_at DESC
LIMIT :limit

-- name: keep_arrivals
-- Insert the arrivals of messages that are sent again: one message if its id is given, else those since a moment.
INSERT INTO webhook_attempts (account_id, subscription_id, message_id, ended_at, answer_status, answer, fault)
SELECT account_id, subscription_id, message_id, finished_at, answer_status, answer, NULL
FROM webhook_deliveries
WHERE subscription_id = :subscription_id AND status = 'DELIVERED' AND finished_at IS NOT NULL
  AND (message_id = CAST(:message_id AS TEXT)
       OR (CAST(:message_id AS TEXT) IS NULL AND created_at >= :since))
ON CONFLICT (account_id, subscription_id, message_id, ended_at) DO NOTHING

-- name: end_turn
-- Store how a subscription's receiver behaves, and give back its lease.
UPDATE subscriptions
SET failures = :failures, failing_since = CAST(:failing_since AS BIGINT), next_at = :next_at, lease_until = 0,
    status = CASE WHEN CAST(:reason AS TEXT) IS NULL THEN status ELSE 'PAUSED' END,
    reason = CAST(:reason AS TEXT)
WHERE subscription_id = :subscription_id AND status = 'ACTIVE'

-- name: arrival_since
-- Return a message of a subscription that arrived after a moment.
SELECT message_id FROM webhook_deliveries
WHERE subscription_id = :subscription_id AND status = 'DELIVERED' AND finished_at > :since
LIMIT 1

-- name: replay_deliveries
-- Make messages of a subscription due again that have ended: one if its id is given, else those since a moment.
UPDATE webhook_deliveries
SET status = 'WAITING', attempts = 0, due_at = :now, finished_at = NULL
WHERE subscription_id = :subscription_id AND due_at IS NULL
  AND (message_id = CAST(:message_id AS TEXT)
       OR (CAST(:message_id AS TEXT) IS NULL AND created_at >= :since))

-- name: retry_deliveries
-- Make messages of a subscription due now that wait: one if its id is given, else all.
UPDATE webhook_deliveries
SET due_at = CASE WHEN due_at > :now THEN :now ELSE due_at END
WHERE subscription_id = :subscription_id AND due_at IS NOT NULL
  AND (message_id = CAST(:message_id AS TEXT) OR CAST(:message_id AS TEXT) IS NULL)

-- name: sweep_deliveries
-- Delete the messages that ended before a moment.
DELETE FROM webhook_deliveries WHERE finished_at < :cutoff

-- name: sweep_attempts
-- Delete the attempts that ended before a moment.
DELETE FROM webhook_attempts WHERE ended_at < :cutoff

-- name: conversions_by_id
-- Return these conversions.
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version, c.stands_at,
       c.born, c.namesakes, c.refund_set
FROM @rows(:keys; account_id text, conversion_id text) AS k
CROSS JOIN conversions AS c
WHERE c.account_id = k.account_id AND c.conversion_id = k.conversion_id

-- name: owner_of_subscription
-- Return the e-mail address of the merchant or affiliate that has a subscription; an affiliate's has no merchant.
SELECT COALESCE(m.email, f.email) AS email, m.merchant_id
FROM subscriptions AS s
LEFT JOIN accounts AS a ON a.account_id = s.account_id
LEFT JOIN merchants AS m ON m.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = s.affiliate_id
WHERE s.subscription_id = :subscription_id

-- name: silent_connections
-- Return active connections whose last delivery came before a moment, where a merchant subscribed and was not told yet.
SELECT k.account_id, k.connection_id, k.connector, k.title, k.last_at
FROM (SELECT c.account_id, c.connection_id, c.connector, c.title,
             (SELECT e.received_at FROM events AS e
              WHERE e.account_id = c.account_id AND e.connection_id = c.connection_id
              ORDER BY e.event_id DESC LIMIT 1) AS last_at
      FROM connections AS c
      WHERE c.status = 'ACTIVE'
        AND EXISTS (SELECT 1 FROM subscriptions AS s
                    WHERE s.account_id = c.account_id AND s.status <> 'DELETED'
                      AND s.event_types LIKE '%,connection.silent,%')) AS k
WHERE k.last_at < :before
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS d
                  JOIN subscriptions AS s ON s.subscription_id = d.subscription_id
                  WHERE d.account_id = k.account_id AND s.account_id = k.account_id AND d.subject = k.connection_id
                    AND d.created_at > k.last_at)
ORDER BY k.account_id, k.connection_id
LIMIT :limit
