-- name: seed_campaign
-- A campaign that is ACTIVE since `since`.
INSERT INTO campaigns (account_id, campaign_id, campaign_code, title, default_commission_type, default_commission_value,
                       cookie_duration_days, approval_required, approval_status, status, created_at, updated_at)
VALUES (:account_id, :campaign_id, :campaign_id, 'Spring', :type, :value, :days, 0, 'NOT_REQUIRED', 'ACTIVE', :since,
        :since)

-- name: seed_change
-- A status a campaign had since a moment.
INSERT INTO campaign_changes (account_id, campaign_id, changed_at, change_id, status)
VALUES (:account_id, :campaign_id, :at, :change_id, :status)

-- name: seed_click
-- A recorded click.
INSERT INTO clicks (account_id, click_id, code, affiliate_id, campaign_id, clicked_at)
VALUES (:account_id, :click_id, 'code', :affiliate_id, :campaign_id, :at)

-- name: event_rows
-- Every event of an account.
SELECT * FROM events WHERE account_id = :account_id ORDER BY event_id

-- name: conversion_rows
-- Every conversion of an account.
SELECT * FROM conversions WHERE account_id = :account_id ORDER BY external_order_id

-- name: order_review_rows
-- Every question about the orders of an account.
SELECT reason, details FROM order_reviews WHERE account_id = :account_id ORDER BY opened_at, review_key

-- name: commission_rows
-- Every commission of an account with its order.
SELECT m.*, c.external_order_id
FROM commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE m.account_id = :account_id ORDER BY c.external_order_id

-- name: fact_rows
-- Every fact of an account.
SELECT * FROM order_facts WHERE account_id = :account_id ORDER BY external_order_id, fact_key

-- name: product_rows
-- Every product of an account.
SELECT * FROM products WHERE account_id = :account_id ORDER BY external_product_id

-- name: spoil_body
-- Damages a stored body, as a bug of an older release might have.
UPDATE payloads SET body = :body WHERE account_id = :account_id AND event_id = :event_id

-- name: seed_user
-- A person who may sign in.
INSERT INTO users (user_id, email, email_key, name, status, created_at)
VALUES (:user_id, 'ada@blog.example', 'ada@blog.example', 'Ada', 'ACTIVE', :now)

-- name: seed_affiliate_role
-- A person is an affiliate.
INSERT INTO user_roles (user_id, role, subject_id, created_at) VALUES (:user_id, 'affiliate', :affiliate_id, :now)

-- name: seed_session
-- A session of a person.
INSERT INTO sessions (token_hash, session_id, user_id, created_at, seen_at, confirmed_at, proof_since, expires_at,
                      user_agent, address, visitor)
VALUES ('t', 'ses_1', :user_id, :now, :now, :now, :now, :now, 'agent', '127.0.0.1', :visitor)

-- name: all_customer_orders
-- Every order of an account by which a customer is known.
SELECT conversion_id, customer, ordered_at, kept_until FROM customer_orders WHERE account_id = :account_id
