-- name: test_account
-- Return a merchant's account in a mode, and by how much its clock was moved forward.
SELECT a.account_id, a.mode, a.advanced_ms, m.merchant_id, m.name
FROM accounts AS a
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE a.merchant_id = :merchant_id AND a.mode = :mode

-- name: advance_of_account
-- Return by how much an account's clock was moved forward.
SELECT advanced_ms FROM accounts WHERE account_id = :account_id

-- name: count_events_of_account
-- Count the events and clicks of an account, each up to a limit.
SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one FROM events WHERE account_id = :account_id LIMIT :limit) AS e) AS events,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM clicks WHERE account_id = :account_id LIMIT :limit) AS c) AS clicks

-- name: hold_due_events
-- Lock the events of an account that wait to be decided, with an update that changes nothing.
UPDATE events SET attempts = attempts WHERE account_id = :account_id AND due_at IS NOT NULL

-- name: note_advance
-- Store by how much an account's clock was moved forward.
UPDATE accounts SET advanced_ms = advanced_ms + :by WHERE account_id = :account_id

-- name: age_clicks
-- Set the time of an account's clicks back.
UPDATE clicks SET clicked_at = clicked_at - :by WHERE account_id = :account_id

-- name: age_events
-- Set the times of an account's events back; when one is due is the worker's time and stays.
UPDATE events SET received_at = received_at - :by, processed_at = processed_at - :by WHERE account_id = :account_id

-- name: age_parked_news
-- Set the time of an account's parked events back.
UPDATE parked_news SET received_at = received_at - :by WHERE account_id = :account_id

-- name: age_bulk_steps
-- Set the times back of acts on many in an account.
UPDATE bulk_steps SET at = at - :by WHERE account_id = :account_id

-- name: age_set_asides
-- Set the times back at which an account's matters were set aside.
UPDATE set_asides SET aside_at = aside_at - :by WHERE account_id = :account_id

-- name: age_conversions
-- Set the times of an account's conversions back.
UPDATE conversions
SET ordered_at = ordered_at - :by, received_at = received_at - :by, created_at = created_at - :by,
    reviewed_at = reviewed_at - :by,
    stands_at = stands_at - :by
WHERE account_id = :account_id

-- name: age_facts
-- Set the times of the facts of an account's orders back; their keys stay, so that the same news is still known.
UPDATE order_facts SET happened_at = happened_at - :by, received_at = received_at - :by WHERE account_id = :account_id

-- name: age_commissions
-- Set the times of an account's commissions back, and the end of their holds with them.
UPDATE commissions
SET hold_until = hold_until - :by, created_at = created_at - :by, updated_at = updated_at - :by,
    payable_at = payable_at - :by
WHERE account_id = :account_id AND paid_at IS NULL

-- name: age_campaigns
-- Set the dates of an account's campaigns back.
UPDATE campaigns
SET start_at = start_at - :by, end_at = end_at - :by, created_at = created_at - :by, updated_at = updated_at - :by
WHERE account_id = :account_id

-- name: age_campaign_changes
-- Set the times at which an account's campaigns changed back.
UPDATE campaign_changes SET changed_at = changed_at - :by WHERE account_id = :account_id

-- name: age_links
-- Set the times of an account's links back.
UPDATE links SET created_at = created_at - :by, disabled_at = disabled_at - :by WHERE account_id = :account_id

-- name: age_memberships
-- Set the times of an account's memberships back.
UPDATE memberships SET applied_at = applied_at - :by, decided_at = decided_at - :by WHERE account_id = :account_id

-- name: age_order_messages
-- Set the times of the messages about an account's orders back.
UPDATE order_messages SET written_at = written_at - :by, read_at = read_at - :by WHERE account_id = :account_id

-- name: age_order_reviews
-- Set the times of the questions about an account's orders back.
UPDATE order_reviews SET opened_at = opened_at - :by, closed_at = closed_at - :by WHERE account_id = :account_id

-- name: empty_order_reviews
-- Delete some questions about an account's orders before an id.
DELETE FROM order_reviews
WHERE account_id = :account_id AND (conversion_id, review_key) IN (
    SELECT conversion_id, review_key FROM order_reviews
    WHERE account_id = :account_id AND conversion_id < :conversion_before LIMIT :limit
)

-- name: empty_events
-- Delete some events of an account that arrived before an id.
DELETE FROM events
WHERE account_id = :account_id AND event_id IN (
    SELECT event_id FROM events WHERE account_id = :account_id AND event_id < :event_before LIMIT :limit
)

-- name: empty_payloads
-- Delete some bodies of an account's events before an id.
DELETE FROM payloads
WHERE account_id = :account_id AND event_id IN (
    SELECT event_id FROM payloads WHERE account_id = :account_id AND event_id < :event_before LIMIT :limit
)

-- name: empty_claims
-- Delete some claims of an account's events before an id.
DELETE FROM claims
WHERE account_id = :account_id AND (scope, claim_key) IN (
    SELECT scope, claim_key FROM claims WHERE account_id = :account_id AND event_id < :event_before LIMIT :limit
)

-- name: empty_bulk_steps
-- Delete some of what became of acts on many in an account before a moment.
DELETE FROM bulk_steps
WHERE account_id = :account_id AND (bulk_id, subject_id) IN (
    SELECT bulk_id, subject_id FROM bulk_steps
    WHERE account_id = :account_id AND at <= :now
    LIMIT :limit)

-- name: empty_set_asides
-- Delete some of what was set aside in an account before a moment.
DELETE FROM set_asides
WHERE account_id = :account_id AND (matter, subject_id) IN (
    SELECT matter, subject_id FROM set_asides
    WHERE account_id = :account_id AND aside_at <= :now
    LIMIT :limit)

-- name: empty_parked_news
-- Delete some notes that an account's events before an id wait.
DELETE FROM parked_news
WHERE account_id = :account_id AND (external_order_id, event_id) IN (
    SELECT external_order_id, event_id FROM parked_news
    WHERE account_id = :account_id AND event_id < :event_before
    LIMIT :limit
)

-- name: empty_idempotency_keys
-- Delete some stored answers of an account that were given by a moment.
DELETE FROM idempotency_keys
WHERE account_id = :account_id AND (route, idempotency_key) IN (
    SELECT route, idempotency_key FROM idempotency_keys
    WHERE account_id = :account_id AND completed_at <= :now
    LIMIT :limit
)

-- name: empty_conversions
-- Delete some conversions of an account before an id.
DELETE FROM conversions
WHERE account_id = :account_id AND conversion_id IN (
    SELECT conversion_id FROM conversions
    WHERE account_id = :account_id AND conversion_id < :conversion_before
    LIMIT :limit
)

-- name: empty_commissions
-- Delete some commissions of an account's conversions before an id.
DELETE FROM commissions
WHERE account_id = :account_id AND commission_id IN (
    SELECT commission_id FROM commissions
    WHERE account_id = :account_id AND conversion_id < :conversion_before
    LIMIT :limit
)
RETURNING commission_id, affiliate_id, currency

-- name: empty_facts
-- Delete some facts that an account's events before an id stated.
DELETE FROM order_facts
WHERE account_id = :account_id AND (external_order_id, fact_key) IN (
    SELECT external_order_id, fact_key FROM order_facts
    WHERE account_id = :account_id AND event_id < :event_before
    LIMIT :limit
)

-- name: empty_order_messages
-- Delete some messages about an account's orders before an id.
DELETE FROM order_messages
WHERE account_id = :account_id AND message_id IN (
    SELECT message_id FROM order_messages
    WHERE account_id = :account_id AND conversion_id < :conversion_before
    LIMIT :limit
)

-- name: empty_clicks
-- Delete some clicks of an account before an id.
DELETE FROM clicks
WHERE account_id = :account_id AND click_id IN (
    SELECT click_id FROM clicks WHERE account_id = :account_id AND click_id < :click_before LIMIT :limit
)

-- name: empty_short_links
-- Delete some short addresses of an account's links.
DELETE FROM short_links WHERE short IN (SELECT short FROM short_links WHERE account_id = :account_id LIMIT :limit)

-- name: empty_tracking_codes
-- Delete some tracking codes of an account.
DELETE FROM tracking_codes WHERE code IN (SELECT code FROM links WHERE account_id = :account_id LIMIT :limit)

-- name: empty_links
-- Delete some links of an account that have no tracking code any more.
DELETE FROM links
WHERE account_id = :account_id AND code IN (
    SELECT l.code FROM links AS l
    WHERE l.account_id = :account_id
      AND NOT EXISTS (SELECT 1 FROM tracking_codes AS t WHERE t.code = l.code)
    LIMIT :limit
)

-- name: empty_products
-- Delete some products of an account.
DELETE FROM products
WHERE account_id = :account_id AND product_id IN (
    SELECT product_id FROM products WHERE account_id = :account_id LIMIT :limit
)

-- name: empty_connection_items
-- Delete which products an account's inventory items belong to.
DELETE FROM connection_items WHERE account_id = :account_id

-- name: empty_connection_stock
-- Delete the stock of an account's inventory items.
DELETE FROM connection_stock WHERE account_id = :account_id

-- name: empty_memberships
-- Delete the memberships of an account's campaigns.
DELETE FROM memberships WHERE account_id = :account_id

-- name: empty_campaign_changes
-- Delete the history of an account's campaigns.
DELETE FROM campaign_changes WHERE account_id = :account_id

-- name: empty_campaign_materials
-- Delete what an account gives its partners for one of its campaigns; what is for all stays.
DELETE FROM materials WHERE account_id = :account_id AND campaign_id IS NOT NULL

-- name: empty_campaigns
-- Delete the campaigns of an account.
DELETE FROM campaigns WHERE account_id = :account_id

-- name: newest_click
-- Return the newest click of an account.
SELECT click_id, clicked_at FROM clicks WHERE account_id = :account_id ORDER BY click_id DESC LIMIT 1

-- name: empty_attempts
-- Delete some attempts of messages to subscribers about an account that ended by a moment.
DELETE FROM webhook_attempts
WHERE account_id = :account_id AND (subscription_id, message_id, ended_at) IN (
    SELECT subscription_id, message_id, ended_at FROM webhook_attempts
    WHERE account_id = :account_id AND ended_at <= :now
    LIMIT :limit
)

-- name: empty_deliveries
-- Delete some messages to subscribers about an account that were written by a moment.
DELETE FROM webhook_deliveries
WHERE account_id = :account_id AND message_id IN (
    SELECT message_id FROM webhook_deliveries
    WHERE account_id = :account_id AND created_at <= :now
    LIMIT :limit
)

-- name: age_order_namesakes
-- Set the times of an account's orders that share a number with another one back.
UPDATE order_namesakes SET asked_at = asked_at - :by, confirmed_at = confirmed_at - :by WHERE account_id = :account_id

-- name: empty_order_namesakes
-- Delete some of an account's orders that share a number with another one and came by a moment.
DELETE FROM order_namesakes
WHERE account_id = :account_id AND (external_order_id, born) IN (
    SELECT external_order_id, born FROM order_namesakes WHERE account_id = :account_id AND asked_at <= :now LIMIT :limit
)

-- name: empty_subscription_orders
-- Delete which of an account's orders before an id began or renew a subscription.
DELETE FROM subscription_orders
WHERE account_id = :account_id AND conversion_id IN (
    SELECT conversion_id FROM subscription_orders
    WHERE account_id = :account_id AND conversion_id < :conversion_before
    LIMIT :limit
)

-- name: age_customer_orders
-- Set the times back of the orders of an account by which customers are known.
UPDATE customer_orders SET ordered_at = ordered_at - :by, kept_until = kept_until - :by WHERE account_id = :account_id

-- name: empty_customer_orders
-- Delete by which of an account's orders before an id customers are known.
DELETE FROM customer_orders
WHERE account_id = :account_id AND conversion_id IN (
    SELECT conversion_id FROM customer_orders
    WHERE account_id = :account_id AND conversion_id < :conversion_before
    LIMIT :limit
)

-- name: age_repeated_reports
-- Set the times of the repeated reports of an account's orders back.
UPDATE repeated_reports SET received_at = received_at - :by WHERE account_id = :account_id

-- name: empty_repeated_reports
-- Delete some repeated reports of an account's orders that came before an id.
DELETE FROM repeated_reports
WHERE account_id = :account_id AND repeat_id IN (
    SELECT repeat_id FROM repeated_reports WHERE account_id = :account_id AND repeat_id < :event_before LIMIT :limit
)
