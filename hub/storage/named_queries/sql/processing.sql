-- fragment: events_with_bodies
-- Events as the worker takes them.
SELECT account_id, event_id, type, kind, external_event_id, external_order_id, conversion_id, received_at, attempts,
       (SELECT p.body FROM payloads AS p
        WHERE p.account_id = events.account_id AND p.event_id = events.event_id) AS body,
       connection_id, topic,
       CASE WHEN connection_id IS NOT NULL THEN
           (SELECT p.headers FROM payloads AS p WHERE p.account_id = events.account_id AND p.event_id = events.event_id)
       END AS headers
FROM events

-- name: claim_due_events
-- Return the next due events with their bodies, oldest first, and lock them; skips those that another node has locked.
@fragment(events_with_bodies)
WHERE due_at IS NOT NULL AND due_at <= :now
ORDER BY due_at
LIMIT :limit
@skip_locked

-- name: accounts_with_due_events
-- Return accounts after an id that have due events of this kind, and how many, counted up to a limit.
WITH RECURSIVE turns (account_id) AS (
    SELECT (SELECT first.account_id FROM events AS first
            WHERE CASE first.type WHEN 'webhook' THEN 1 ELSE 0 END = :webhooks AND first.account_id > :after
              AND first.due_at IS NOT NULL
            ORDER BY first.account_id
            LIMIT 1)
    UNION ALL
    SELECT (SELECT later.account_id FROM events AS later
            WHERE CASE later.type WHEN 'webhook' THEN 1 ELSE 0 END = :webhooks AND later.account_id > turns.account_id
              AND later.due_at IS NOT NULL
            ORDER BY later.account_id
            LIMIT 1)
    FROM turns
    WHERE turns.account_id IS NOT NULL
)
SELECT account_id,
       (SELECT COUNT(*)
        FROM (SELECT 1 AS one FROM events AS e
              WHERE CASE e.type WHEN 'webhook' THEN 1 ELSE 0 END = :webhooks AND e.account_id = turns.account_id
                AND e.due_at IS NOT NULL AND e.due_at <= :now
              LIMIT :limit) AS due) AS waiting
FROM turns
WHERE account_id IS NOT NULL
  -- A scalar subquery, because PostgreSQL would join an EXISTS with everything that is due.
  AND (SELECT 1 FROM events AS e
       WHERE CASE e.type WHEN 'webhook' THEN 1 ELSE 0 END = :webhooks AND e.account_id = turns.account_id
         AND e.due_at IS NOT NULL AND e.due_at <= :now
       LIMIT 1) IS NOT NULL
LIMIT :most

-- name: claim_due_events_of
-- Return the next due events of an account, either webhooks or reports, oldest first, and lock them.
@fragment(events_with_bodies)
WHERE CASE type WHEN 'webhook' THEN 1 ELSE 0 END = :webhooks AND account_id = :account_id
  AND due_at IS NOT NULL AND due_at <= :now
ORDER BY due_at
LIMIT :limit
@skip_locked

-- name: long_body_due_of
-- Return whether one of the next due events of an account has a body of more than a number of characters.
SELECT 1 AS found
FROM (SELECT account_id, event_id FROM events
      WHERE CASE type WHEN 'webhook' THEN 1 ELSE 0 END = :webhooks AND account_id = :account_id
        AND due_at IS NOT NULL AND due_at <= :now
      ORDER BY due_at
      LIMIT :limit) AS due
CROSS JOIN payloads AS p
WHERE p.account_id = due.account_id AND p.event_id = due.event_id AND length(p.body) > :longest
LIMIT 1

-- name: long_body_due
-- Return whether one of the next due events has a body of more than a number of characters.
SELECT 1 AS found
FROM (SELECT account_id, event_id FROM events WHERE due_at IS NOT NULL AND due_at <= :now ORDER BY due_at LIMIT :limit)
     AS due
CROSS JOIN payloads AS p
WHERE p.account_id = due.account_id AND p.event_id = due.event_id AND length(p.body) > :longest
LIMIT 1

-- name: claim_due_event
-- Return one due event with its body, and lock it.
@fragment(events_with_bodies)
WHERE account_id = :account_id AND event_id = :event_id AND due_at IS NOT NULL AND due_at <= :now
@skip_locked

-- name: load_conversions
-- Return the conversions of these orders.
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version, c.stands_at,
       c.born, c.namesakes, c.refund_set
FROM @rows(:orders; account_id text, external_order_id text) AS k
CROSS JOIN conversions AS c
WHERE c.account_id = k.account_id AND c.external_order_id = k.external_order_id

-- name: orders_awaited
-- Return those of these orders for which parked events wait.
SELECT DISTINCT p.account_id, p.external_order_id
FROM @rows(:orders; account_id text, external_order_id text) AS k
CROSS JOIN parked_news AS p
WHERE p.account_id = k.account_id AND p.external_order_id = k.external_order_id

-- name: load_commissions
-- Return the commissions of these conversions.
SELECT c.account_id, c.commission_id, c.conversion_id, c.affiliate_id, c.state, c.amount_minor, c.base_minor,
       c.currency, c.source, c.terms AS terms_json, c.hold_ms, c.hold_until, c.paid_at, c.payout_reference,
       c.created_at, c.updated_at, c.awaits_platform
FROM @rows(:conversions; account_id text, conversion_id text) AS k
CROSS JOIN commissions AS c
WHERE c.account_id = k.account_id AND c.conversion_id = k.conversion_id

-- name: load_facts
-- Return every fact of these orders.
SELECT f.account_id, f.external_order_id, f.fact_key, f.event_id, f.status, f.happened_at, f.received_at, f.refund,
       f.late
FROM @rows(:orders; account_id text, external_order_id text) AS k
CROSS JOIN order_facts AS f
WHERE f.account_id = k.account_id AND f.external_order_id = k.external_order_id

-- name: load_merchants
-- Return the mode of these accounts with their merchants' currency, domains and commission terms.
SELECT a.account_id, a.mode, m.currency, m.domains, m.commission_type, m.commission_value, m.hold_ms,
       m.deposit_required
FROM accounts AS a
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE a.account_id IN @list(:accounts text)

-- name: load_clicks
-- Return these clicks, and whether their affiliates are active.
SELECT c.account_id, c.click_id, c.affiliate_id, c.campaign_id, c.clicked_at, a.status AS affiliate_status, c.subs,
       c.visitor, c.code
FROM @rows(:clicks; account_id text, click_id text) AS k
CROSS JOIN clicks AS c
JOIN affiliates AS a ON a.affiliate_id = c.affiliate_id
WHERE c.account_id = k.account_id AND c.click_id = k.click_id

-- name: load_campaigns
-- Return these campaigns with their terms.
SELECT c.account_id, c.campaign_id, c.start_at, c.end_at, c.cookie_duration_days, c.default_commission_type,
       c.default_commission_value, c.new_customer_commission_type, c.new_customer_commission_value, c.hold_ms, c.attribution
FROM @rows(:campaigns; account_id text, campaign_id text) AS k
CROSS JOIN campaigns AS c
WHERE c.account_id = k.account_id AND c.campaign_id = k.campaign_id

-- name: load_campaign_changes
-- Return every status that these campaigns had, oldest first.
SELECT c.account_id, c.campaign_id, c.changed_at, c.status
FROM @rows(:campaigns; account_id text, campaign_id text) AS k
CROSS JOIN campaign_changes AS c
WHERE c.account_id = k.account_id AND c.campaign_id = k.campaign_id
ORDER BY c.account_id, c.campaign_id, c.changed_at, c.change_id

-- name: load_own_rates
-- Return the rates of those of these approved members of campaigns that have one of their own.
SELECT m.account_id, m.campaign_id, m.affiliate_id, m.commission_type, m.commission_value
FROM @rows(:members; account_id text, campaign_id text, affiliate_id text) AS k
CROSS JOIN memberships AS m
WHERE m.account_id = k.account_id AND m.campaign_id = k.campaign_id AND m.affiliate_id = k.affiliate_id
  AND m.commission_type IS NOT NULL AND m.status = 'APPROVED'

-- name: load_product_rules
-- Return the commission rules of these products, and the defaults of the campaigns they are attached to.
SELECT p.account_id, p.external_product_id, p.commission_type, p.commission_value, p.campaign_id,
       c.default_commission_type, c.default_commission_value
FROM @rows(:products; account_id text, external_product_id text) AS k
CROSS JOIN products AS p
LEFT JOIN campaigns AS c ON c.account_id = p.account_id AND c.campaign_id = p.campaign_id
WHERE p.account_id = k.account_id AND p.external_product_id = k.external_product_id

-- name: load_coupon_owners
-- Return the active affiliates that own these coupon codes (upper case).
SELECT o.coupon_code, o.affiliate_id
FROM affiliate_coupons AS o
JOIN affiliates AS a ON a.affiliate_id = o.affiliate_id
WHERE o.coupon_code IN @list(:codes text) AND a.status = 'ACTIVE'

-- name: load_coupon_campaigns
-- Return the campaigns with a policy of their own in which the owners of these coupons take part, the newest first.
SELECT DISTINCT c.account_id, c.campaign_id, o.affiliate_id
FROM @rows(:coupons; account_id text, coupon_code text) AS k
CROSS JOIN affiliate_coupons AS o
CROSS JOIN affiliates AS a
CROSS JOIN campaigns AS c
LEFT JOIN memberships AS m
  ON m.account_id = c.account_id AND m.campaign_id = c.campaign_id AND m.affiliate_id = o.affiliate_id
WHERE o.coupon_code = k.coupon_code AND a.affiliate_id = o.affiliate_id AND a.status = 'ACTIVE'
  AND c.account_id = k.account_id AND c.attribution IS NOT NULL
  AND (m.status = 'APPROVED'
       OR (m.status IS NULL AND c.joining = 'OPEN'
           AND EXISTS (SELECT 1 FROM links AS l
                       WHERE l.account_id = c.account_id AND l.campaign_id = c.campaign_id
                         AND l.affiliate_id = o.affiliate_id AND l.disabled_at IS NULL)))
ORDER BY c.campaign_id DESC

-- name: load_visitor_signs
-- Return of each click how many orders came by clicks of its visitor, and whether its affiliate signed in as it.
SELECT k.account_id, k.click_id,
       (SELECT COUNT(*)
        FROM clicks AS o
        CROSS JOIN conversions AS v
        WHERE o.account_id = k.account_id AND o.visitor = k.visitor AND o.affiliate_id = k.affiliate_id
          -- With the account as it is SQLite would read all orders of it instead of those of the click.
          AND substr(v.click_id, 5, 10) = substr(o.click_id, 5, 10) AND v.click_id = o.click_id
          AND v.account_id || '' = o.account_id) AS orders,
       (SELECT COUNT(*)
        FROM sessions AS s
        JOIN user_roles AS r ON r.user_id = s.user_id
        WHERE s.visitor = k.visitor AND r.role = 'affiliate' AND r.subject_id = k.affiliate_id) AS sessions
FROM @rows(:clicks; account_id text, click_id text, affiliate_id text, visitor text) AS k

-- name: load_subscriptions
-- Return of these renewals the attributed order that began each one's subscription, and how many of them earned.
SELECT k.account_id, k.series, k.click_id AS named_click, b.click_id, b.affiliate_id, b.campaign_id, a.status AS affiliate_status,
       (SELECT COUNT(*)
        FROM subscription_orders AS s
        JOIN conversions AS c ON c.account_id = s.account_id AND c.conversion_id = s.conversion_id
        WHERE s.account_id = k.account_id AND s.subscription = k.series AND s.renews = 1
          AND c.affiliate_id IS NOT NULL) AS earned
FROM @rows(:renewals; account_id text, series text, click_id text) AS k
LEFT JOIN conversions AS b ON b.account_id = k.account_id AND b.conversion_id = COALESCE(
    (SELECT c.conversion_id
     FROM subscription_orders AS s
     JOIN conversions AS c ON c.account_id = s.account_id AND c.conversion_id = s.conversion_id
     WHERE s.account_id = k.account_id AND s.subscription = k.series AND s.renews = 0 AND c.affiliate_id IS NOT NULL
     ORDER BY c.ordered_at, c.conversion_id
     LIMIT 1),
    (SELECT c.conversion_id
     FROM conversions AS c
     LEFT JOIN subscription_orders AS s ON s.account_id = c.account_id AND s.conversion_id = c.conversion_id
     -- With the account as it is SQLite would read all orders of it instead of those of the click.
     WHERE substr(c.click_id, 5, 10) = substr(k.click_id, 5, 10) AND c.click_id = k.click_id
       AND c.account_id || '' = k.account_id AND c.affiliate_id IS NOT NULL
       AND COALESCE(s.renews, 0) = 0
     ORDER BY c.ordered_at, c.conversion_id
     LIMIT 1))
LEFT JOIN affiliates AS a ON a.affiliate_id = b.affiliate_id

-- name: insert_subscription_orders
-- Insert which orders began or renew a subscription.
INSERT INTO subscription_orders (account_id, conversion_id, subscription, renews)
SELECT account_id, conversion_id, subscription, renews
FROM @rows(:orders; account_id text, conversion_id text, subscription text, renews bigint)

-- name: load_customers
-- Return of each customer the latest order that earned, was placed by a moment and is still known, and whose it is.
SELECT k.account_id, k.customer, c.external_order_id, c.ordered_at, c.affiliate_id, c.campaign_id,
       a.status AS affiliate_status
FROM @rows(:customers; account_id text, customer text, ordered_at bigint) AS k
JOIN conversions AS c ON c.account_id = k.account_id AND c.conversion_id = (
    SELECT o.conversion_id
    FROM customer_orders AS o
    JOIN commissions AS m ON m.account_id = o.account_id AND m.conversion_id = o.conversion_id
    WHERE o.account_id = k.account_id AND o.customer = k.customer AND o.ordered_at <= k.ordered_at
      AND m.state <> 'REJECTED'
    ORDER BY o.ordered_at DESC, o.conversion_id DESC
    LIMIT 1)
JOIN affiliates AS a ON a.affiliate_id = c.affiliate_id

-- name: insert_customer_orders
-- Insert by which orders customers are known.
INSERT INTO customer_orders (account_id, conversion_id, customer, ordered_at, kept_until)
SELECT account_id, conversion_id, customer, ordered_at, kept_until
FROM @rows(:orders; account_id text, conversion_id text, customer text, ordered_at bigint, kept_until bigint)

-- name: forget_customers
-- Delete by which orders of an account customers were known until a moment.
DELETE FROM customer_orders WHERE account_id = :account_id AND kept_until < :now

-- name: shorten_customers
-- Store that customers are known by orders of a campaign for so long only.
UPDATE customer_orders SET kept_until = ordered_at + :kept_ms
WHERE account_id = :account_id AND kept_until > ordered_at + :kept_ms AND conversion_id IN (
    SELECT conversion_id FROM conversions WHERE account_id = :account_id AND campaign_id = :campaign_id
)

-- name: forget_customers_of_orders
-- Delete by which orders the customers of these orders are known.
DELETE FROM customer_orders
WHERE account_id = :account_id AND customer IN (
    SELECT o.customer
    FROM customer_orders AS o
    JOIN conversions AS c ON c.account_id = o.account_id AND c.conversion_id = o.conversion_id
    WHERE c.account_id = :account_id AND c.external_order_id IN @list(:orders text)
)

-- name: insert_conversions
-- Insert conversions.
INSERT INTO conversions (account_id, conversion_id, event_id, external_order_id, order_minor, paid_minor, currency,
                         lines, click_id, coupon_code, metadata, ordered_at, received_at, confidence, reason,
                         affiliate_id, campaign_id, candidate_id, review, created_at, snapshot_version, stands_at,
                         born, namesakes, refund_set)
SELECT account_id, conversion_id, event_id, external_order_id, order_minor, paid_minor, currency,
       lines_json, click_id, coupon_code, metadata, ordered_at, received_at, confidence, reason,
       affiliate_id, campaign_id, candidate_id, review, created_at, snapshot_version, stands_at, born, namesakes,
       refund_set
FROM @rows(:conversions; account_id text, conversion_id text, event_id text, external_order_id text,
           order_minor bigint, paid_minor bigint, currency text, lines_json text, click_id text, coupon_code text,
           metadata text, ordered_at bigint, received_at bigint, confidence text, reason text, affiliate_id text,
           campaign_id text, candidate_id text, review text, created_at bigint, snapshot_version bigint,
           stands_at bigint, born text, namesakes bigint, refund_set text)

-- name: insert_facts
-- Insert facts of orders.
INSERT INTO order_facts (account_id, external_order_id, fact_key, event_id, status, happened_at, received_at, refund,
                         late)
SELECT account_id, external_order_id, fact_key, event_id, status, happened_at, received_at, refund, late
FROM @rows(:facts; account_id text, external_order_id text, fact_key text, event_id text, status text,
           happened_at bigint, received_at bigint, refund text, late bigint)

-- name: write_commissions
-- Insert commissions or update them; never touches a paid one.
INSERT INTO commissions (account_id, commission_id, conversion_id, affiliate_id, state, amount_minor, base_minor,
                         currency, source, terms, hold_ms, hold_until, paid_at, payout_reference, created_at,
                         updated_at, awaits_platform)
SELECT account_id, commission_id, conversion_id, affiliate_id, state, amount_minor, base_minor,
       currency, source, terms_json, hold_ms, hold_until, paid_at, payout_reference, created_at, updated_at,
       awaits_platform
FROM @rows(:commissions; account_id text, commission_id text, conversion_id text, affiliate_id text, state text,
           amount_minor bigint, base_minor bigint, currency text, source text, terms_json text, hold_ms bigint,
           hold_until bigint, paid_at bigint, payout_reference text, created_at bigint, updated_at bigint,
           awaits_platform bigint)
WHERE true
ON CONFLICT (account_id, commission_id) DO UPDATE
SET state = excluded.state, amount_minor = excluded.amount_minor, base_minor = excluded.base_minor,
    source = excluded.source, terms = excluded.terms, hold_until = excluded.hold_until, updated_at = excluded.updated_at,
    payable_at = CASE WHEN excluded.state <> 'PAYABLE' THEN NULL
                      WHEN commissions.state <> 'PAYABLE' THEN excluded.updated_at ELSE commissions.payable_at END
WHERE commissions.paid_at IS NULL

-- name: restate_conversions
-- Store what newer snapshots say of orders.
UPDATE conversions
SET order_minor = k.order_minor, paid_minor = k.paid_minor, lines = k.lines_json,
    snapshot_version = k.snapshot_version, stands_at = k.stands_at, refund_set = k.refund_set
FROM @rows(:conversions; account_id text, conversion_id text, order_minor bigint, paid_minor bigint, lines_json text,
           snapshot_version bigint, stands_at bigint, refund_set text) AS k
WHERE conversions.account_id = k.account_id AND conversions.conversion_id = k.conversion_id

-- name: attribute_late_clicks
-- Store whose orders are by clicks that were stated after they were first seen.
UPDATE conversions
SET click_id = k.click_id, confidence = k.confidence, reason = k.reason, affiliate_id = k.affiliate_id,
    campaign_id = k.campaign_id, candidate_id = NULL, review = NULL
FROM @rows(:clicks; account_id text, conversion_id text, click_id text, confidence text, reason text,
           affiliate_id text, campaign_id text) AS k
WHERE conversions.account_id = k.account_id AND conversions.conversion_id = k.conversion_id
  AND conversions.review = 'OPEN'

-- name: open_order_reviews
-- Insert questions about orders; one that was asked before stays as it is.
INSERT INTO order_reviews (account_id, conversion_id, review_key, event_id, reason, details, opened_at)
SELECT account_id, conversion_id, review_key, event_id, reason, details, opened_at
FROM @rows(:reviews; account_id text, conversion_id text, review_key text, event_id text, reason text, details text,
           opened_at bigint)
WHERE true
ON CONFLICT (account_id, conversion_id, review_key) DO NOTHING

-- name: namesakes_of
-- Return the other orders that came under the numbers of these, in the order in which they came.
SELECT n.account_id, n.external_order_id, n.born, n.own_number, n.confirmed_at
FROM @rows(:orders; account_id text, external_order_id text) AS k
CROSS JOIN order_namesakes AS n
WHERE n.account_id = k.account_id AND n.external_order_id = k.external_order_id
ORDER BY n.account_id, n.external_order_id, n.place

-- name: insert_namesakes
-- Insert other orders that came under known numbers; one that was asked about before stays as it is.
INSERT INTO order_namesakes (account_id, external_order_id, born, place, own_number, connection_id, report, asked_at)
SELECT account_id, external_order_id, born, place, own_number, connection_id, report, asked_at
FROM @rows(:namesakes; account_id text, external_order_id text, born text, place bigint, own_number text,
           connection_id text, report text, asked_at bigint)
WHERE true
ON CONFLICT (account_id, external_order_id, born) DO NOTHING

-- name: count_namesakes
-- Store how many other orders came under the numbers of these.
UPDATE conversions
SET namesakes = k.namesakes
FROM @rows(:orders; account_id text, external_order_id text, namesakes bigint) AS k
WHERE conversions.account_id = k.account_id AND conversions.external_order_id = k.external_order_id

-- name: finish_events
-- Store the result of events.
UPDATE events
SET status = k.status, external_order_id = k.external_order_id, conversion_id = k.conversion_id,
    processed_at = k.processed_at, attempts = k.attempts, explanation = k.explanation, due_at = NULL
FROM @rows(:events; account_id text, event_id text, status text, external_order_id text, conversion_id text,
           processed_at bigint, attempts bigint, explanation text) AS k
WHERE events.account_id = k.account_id AND events.event_id = k.event_id

-- name: postpone_events
-- Store the attempts of events and when they are due again.
UPDATE events
SET attempts = k.attempts, due_at = k.due_at
FROM @rows(:events; account_id text, event_id text, attempts bigint, due_at bigint) AS k
WHERE events.account_id = k.account_id AND events.event_id = k.event_id

-- name: hold_events
-- Lock the events whose attempts and time are as they were noted, and return them.
UPDATE events
SET due_at = k.due_at
FROM @rows(:events; account_id text, event_id text, attempts bigint, due_at bigint) AS k
WHERE events.account_id = k.account_id AND events.event_id = k.event_id
  AND events.attempts = k.attempts AND events.due_at = k.due_at
RETURNING events.account_id, events.event_id

-- name: park_news
-- Insert events that wait for the conversion of their order.
INSERT INTO parked_news (account_id, external_order_id, event_id, received_at)
SELECT account_id, external_order_id, event_id, received_at
FROM @rows(:news; account_id text, external_order_id text, event_id text, received_at bigint)
WHERE true
ON CONFLICT (account_id, external_order_id, event_id) DO NOTHING

-- name: parked_news_of
-- Return the events that wait for these orders.
SELECT p.account_id, p.external_order_id, p.event_id
FROM @rows(:orders; account_id text, external_order_id text) AS k
CROSS JOIN parked_news AS p
WHERE p.account_id = k.account_id AND p.external_order_id = k.external_order_id

-- name: parked_news_before
-- Return events that have waited since before a moment, up to a limit.
SELECT account_id, external_order_id, event_id
FROM parked_news
WHERE received_at <= :cutoff
ORDER BY received_at
LIMIT :limit

-- name: unpark_news
-- Delete the notes that these events wait.
DELETE FROM parked_news
WHERE (account_id, external_order_id, event_id) IN (
    SELECT account_id, external_order_id, event_id
    FROM @rows(:news; account_id text, external_order_id text, event_id text)
)

-- name: wake_events
-- Make parked events due again.
UPDATE events
SET status = CASE WHEN events.type = 'webhook' THEN 'QUEUED' ELSE 'RECEIVED' END, due_at = :now
FROM @rows(:events; account_id text, event_id text) AS k
WHERE events.account_id = k.account_id AND events.event_id = k.event_id AND events.status = 'PARKED'

-- name: give_up_events
-- Mark events that waited too long for the conversion of their order.
UPDATE events
SET status = 'UNMATCHED', processed_at = :now
FROM @rows(:events; account_id text, event_id text) AS k
WHERE events.account_id = k.account_id AND events.event_id = k.event_id AND events.status = 'PARKED'

-- name: note_product_news
-- Store the times of the last webhooks that were applied to these products.
UPDATE products
SET news_at = k.news_at, stock_at = k.stock_at
FROM @rows(:news; account_id text, external_product_id text, news_at bigint, stock_at bigint) AS k
WHERE products.account_id = k.account_id AND products.external_product_id = k.external_product_id

-- name: repeated_reports_due
-- Return the next repeated reports after one, with their orders, if these are decided, and the orders' first events.
SELECT r.account_id, r.repeat_id, r.external_order_id, r.amount, COALESCE(r.currency, m.currency) AS currency,
       r.click_id, r.ordered_at, r.report, r.received_at, c.conversion_id, c.event_id, c.order_minor,
       c.currency AS order_currency, c.click_id AS order_click_id, c.ordered_at AS order_ordered_at,
       c.received_at AS order_received_at, e.explanation
FROM repeated_reports AS r
LEFT JOIN conversions AS c ON c.account_id = r.account_id AND c.external_order_id = r.external_order_id
JOIN accounts AS a ON a.account_id = r.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
LEFT JOIN events AS e ON e.account_id = c.account_id AND e.event_id = c.event_id
WHERE (r.account_id, r.repeat_id) > (:account_id, :repeat_id)
ORDER BY r.account_id, r.repeat_id
LIMIT :limit

-- name: forget_repeated_reports
-- Delete repeated reports.
DELETE FROM repeated_reports
WHERE (account_id, repeat_id) IN (SELECT account_id, repeat_id FROM @rows(:reports; account_id text, repeat_id text))

-- name: sweep_repeated_reports
-- Delete an account's repeated reports of orders that were not decided before an id.
DELETE FROM repeated_reports WHERE account_id = :account_id AND repeat_id < :before

-- name: explain_events
-- Store what was decided about events.
UPDATE events SET explanation = k.explanation
FROM @rows(:events; account_id text, event_id text, explanation text) AS k
WHERE events.account_id = k.account_id AND events.event_id = k.event_id

-- name: take_back_events
-- Make the webhooks due at once that were to be due again by a moment.
UPDATE events SET due_at = :now WHERE due_at > :now AND due_at <= :until AND type = 'webhook'
