-- name: require_approval
-- A campaign that an admin must approve.
UPDATE campaigns SET approval_required = 1, approval_status = 'PENDING' WHERE campaign_id = :campaign_id

-- name: lose_event
-- An accepted submission whose event vanished.
DELETE FROM events WHERE event_id = :event_id

-- name: lose_claim
-- An event whose claim vanished.
DELETE FROM claims WHERE event_id = :event_id

-- name: lose_commission
-- An attributed conversion whose commission vanished.
DELETE FROM commissions WHERE commission_id = :commission_id

-- name: lose_facts
-- An order whose facts vanished.
DELETE FROM order_facts WHERE external_order_id = :external_order_id

-- name: bend_amount
-- A commission that pays more than its terms say.
UPDATE commissions SET amount_minor = amount_minor + 1 WHERE commission_id = :commission_id

-- name: bend_review
-- A conversion that was dismissed behind the hub's back.
UPDATE conversions SET review = 'DISMISSED' WHERE conversion_id = :conversion_id

-- name: lose_payload
-- A payload past its retention time.
DELETE FROM payloads WHERE event_id = :event_id

-- name: fail_event
-- An event that was given up.
UPDATE events SET status = 'FAILED' WHERE event_id = :event_id

-- name: lose_conversion
-- A conversion that vanished.
DELETE FROM conversions WHERE external_order_id = :external_order_id
