-- name: ids_anywhere
-- Return what has an id: its kind and the id of its page.
SELECT 'merchant' AS kind, merchant_id AS id FROM merchants WHERE merchant_id = :id
UNION ALL SELECT 'merchant', merchant_id FROM accounts WHERE account_id = :id
UNION ALL SELECT 'affiliate', affiliate_id FROM affiliates WHERE affiliate_id = :id
UNION ALL SELECT 'link', code FROM tracking_codes WHERE code = :id
UNION ALL SELECT 'connection', connection_id FROM connection_routes WHERE connection_id = :id
UNION ALL SELECT 'key', a.merchant_id FROM api_keys AS k JOIN accounts AS a ON a.account_id = k.account_id
          WHERE k.key_id = :id
UNION ALL SELECT 'user', user_id FROM users WHERE user_id = :id
UNION ALL SELECT 'campaign', c.campaign_id FROM accounts AS a CROSS JOIN campaigns AS c
          WHERE c.account_id = a.account_id AND (c.campaign_id = :id OR c.campaign_code = :id)
UNION ALL SELECT 'conversion', c.conversion_id FROM accounts AS a CROSS JOIN conversions AS c
          WHERE c.account_id = a.account_id AND c.conversion_id = :id
UNION ALL SELECT 'conversion', c.conversion_id FROM accounts AS a CROSS JOIN conversions AS c
          WHERE c.account_id = a.account_id AND c.external_order_id = :id AND c.conversion_id <> :id
UNION ALL SELECT 'conversion', m.conversion_id FROM accounts AS a CROSS JOIN commissions AS m
          WHERE m.account_id = a.account_id AND m.commission_id = :id
UNION ALL SELECT 'conversion', conversion_id FROM conversions
          WHERE substr(click_id, 5, 10) = substr(CAST(:id AS TEXT), 5, 10) AND click_id = :id
UNION ALL SELECT 'event', e.event_id FROM accounts AS a CROSS JOIN events AS e
          WHERE e.account_id = a.account_id AND e.event_id = :id
UNION ALL SELECT 'link', c.code FROM accounts AS a CROSS JOIN clicks AS c
          WHERE c.account_id = a.account_id AND c.click_id = :id
            AND NOT EXISTS (SELECT 1 FROM conversions AS o
                            WHERE substr(o.click_id, 5, 10) = substr(CAST(:id AS TEXT), 5, 10)
                              AND o.account_id || '' = a.account_id AND o.click_id = :id)
UNION ALL SELECT 'payout', payout_id FROM payouts WHERE payout_id = :id

-- name: emails_anywhere
-- Return who has an e-mail address, given in one case.
SELECT 'merchant' AS kind, merchant_id AS id, name FROM merchants WHERE lower(email) = :email
UNION ALL SELECT 'affiliate', affiliate_id, name FROM affiliates WHERE lower(email) = :email
UNION ALL SELECT 'user', user_id, name FROM users WHERE email_key = :email

-- name: coupons_anywhere
-- Return the affiliate of a coupon.
SELECT affiliate_id FROM affiliate_coupons WHERE coupon_code = :code

-- name: numbers_anywhere
-- Return orders of any account whose numbers begin so.
SELECT c.conversion_id, c.external_order_id
FROM accounts AS a
CROSS JOIN conversions AS c
WHERE c.account_id = a.account_id AND c.external_order_id >= :number AND c.external_order_id < :number_until
LIMIT :limit

-- name: insert_audit_run
-- Insert a run of the audit.
INSERT INTO audit_runs (run_id, started_at, finished_at, accepted, conversions, violations, since)
VALUES (:run_id, :started_at, :finished_at, :accepted, :conversions, :violations, :since)

-- name: forget_audit_runs
-- Delete all runs of the audit but the newest, and the newest of everything.
DELETE FROM audit_runs
WHERE run_id NOT IN (SELECT run_id FROM audit_runs ORDER BY run_id DESC LIMIT :kept)
  AND run_id < (SELECT MAX(run_id) FROM audit_runs WHERE since IS NULL)

-- name: last_audit_run
-- Return the newest audit of everything, and the end and the most violations of those of what came since.
-- What one of those found counts until a later one, which began as early, found none.
SELECT w.run_id, w.started_at, w.finished_at, w.accepted, w.conversions, w.violations,
       (SELECT MAX(p.finished_at) FROM audit_runs AS p WHERE p.run_id > w.run_id) AS followed_at,
       COALESCE((SELECT MAX(p.violations) FROM audit_runs AS p
                 WHERE p.run_id > w.run_id
                   AND NOT EXISTS (SELECT 1 FROM audit_runs AS q WHERE q.run_id > p.run_id AND q.since <= p.since)), 0)
       AS newer_violations
FROM audit_runs AS w
WHERE w.since IS NULL
ORDER BY w.run_id DESC
LIMIT 1

-- name: stuck_events
-- Count the events that could not be used, by status, each up to a limit.
SELECT 'FAILED' AS status, COUNT(*) AS events
FROM (SELECT 1 AS one FROM events WHERE status = 'FAILED' LIMIT :limit) AS failed
UNION ALL
SELECT 'PARKED', COUNT(*) FROM (SELECT 1 AS one FROM parked_news LIMIT :limit) AS parked

-- name: leases_listed
-- Return the jobs that run by the clock, and who has them.
SELECT name, owner, expires_at FROM leases ORDER BY name
