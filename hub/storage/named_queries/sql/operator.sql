-- name: insert_merchant
-- Insert a merchant.
INSERT INTO merchants (merchant_id, name, email, domains, currency, commission_type, commission_value, hold_ms, status,
                       created_at, updated_at)
VALUES (:merchant_id, :name, :email, :domains, :currency, :commission_type, :commission_value, :hold_ms, :status,
        :now, :now)

-- name: insert_account
-- Insert one of a merchant's two accounts.
INSERT INTO accounts (account_id, merchant_id, mode) VALUES (:account_id, :merchant_id, :mode)

-- name: set_merchant_status
-- Set the status of a merchant, the reason, and when it was closed, if it is.
UPDATE merchants SET status = :status, status_reason = :reason, closed_at = :closed_at, updated_at = :now
WHERE merchant_id = :merchant_id

-- name: lock_merchant
-- Lock a merchant until the transaction ends, with an update that changes nothing.
UPDATE merchants SET updated_at = updated_at WHERE merchant_id = :merchant_id

-- name: update_merchant
-- Replace the columns of a merchant that an operator may change.
UPDATE merchants
SET name = :name, email = :email, domains = :domains, commission_type = :commission_type,
    commission_value = :commission_value, hold_ms = :hold_ms, updated_at = :now
WHERE merchant_id = :merchant_id

-- name: count_unpaid_commissions
-- Count the live commissions of a merchant that may still be paid.
SELECT COUNT(*) AS unpaid
FROM accounts AS a
CROSS JOIN commissions AS m
WHERE a.merchant_id = :merchant_id AND a.mode = 'live' AND m.account_id = a.account_id
  AND m.state NOT IN ('PAID', 'REJECTED') AND m.amount_minor > 0

-- name: revoke_keys_of_merchant
-- Revoke every key of a merchant that is not revoked yet.
UPDATE api_keys SET revoked_at = :now
WHERE revoked_at IS NULL AND account_id IN (SELECT account_id FROM accounts WHERE merchant_id = :merchant_id)

-- name: close_connections_of_merchant
-- Close every connection of a merchant that is not closed yet.
UPDATE connections SET status = 'CLOSED', closed_at = :now
WHERE status = 'ACTIVE' AND account_id IN (SELECT account_id FROM accounts WHERE merchant_id = :merchant_id)

-- name: account_of_merchant
-- Return the account that a merchant has in a mode, with the merchant's name, status, domains and currency.
SELECT a.account_id, m.merchant_id, m.name, m.status, m.domains, m.currency
FROM accounts AS a
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE a.merchant_id = :merchant_id AND a.mode = :mode

-- name: insert_key
-- Insert an API key with its sealed secret.
INSERT INTO api_keys (key_id, account_id, sealed_secret, allowed_cidrs, expires_at, created_at, signature_version, name)
VALUES (:key_id, :account_id, :sealed_secret, :allowed_cidrs, :expires_at, :now, :signature_version, :name)

-- name: revoke_key
-- Revoke a key; a second revocation keeps the time of the first.
UPDATE api_keys SET revoked_at = :now WHERE key_id = :key_id AND revoked_at IS NULL

-- name: update_key
-- Replace a key's name, and from where and until when it is accepted.
UPDATE api_keys SET allowed_cidrs = :allowed_cidrs, expires_at = :expires_at, name = :name
WHERE key_id = :key_id AND revoked_at IS NULL

-- name: affiliates_with_email
-- Return the affiliates with an e-mail address, in any case.
SELECT affiliate_id, name FROM affiliates WHERE lower(email) = :email ORDER BY affiliate_id

-- name: update_affiliate
-- Replace the name and the e-mail address of an affiliate.
UPDATE affiliates SET name = :name, email = :email WHERE affiliate_id = :affiliate_id

-- name: release_coupons
-- Take coupons away from an affiliate.
DELETE FROM affiliate_coupons WHERE affiliate_id = :affiliate_id AND coupon_code IN @list(:coupons text)

-- name: set_link_disabled
-- Store since when a link is disabled, and the affiliate if it did that itself; null enables it.
UPDATE links SET disabled_at = CAST(:disabled_at AS BIGINT), disabled_by = CAST(:disabled_by AS TEXT)
WHERE account_id = :account_id AND code = :code

-- name: insert_affiliate
-- Insert an affiliate.
INSERT INTO affiliates (affiliate_id, name, email, status, created_at)
VALUES (:affiliate_id, :name, :email, 'ACTIVE', :now)

-- name: insert_test_partner
-- Insert the affiliate that a merchant tries its test account with, unless it has one.
INSERT INTO affiliates (affiliate_id, name, email, status, test_of, created_at)
VALUES (:affiliate_id, :name, :email, 'ACTIVE', :merchant_id, :now)
ON CONFLICT (test_of) DO NOTHING

-- name: test_partner
-- Return the affiliate that a merchant tries its test account with.
SELECT affiliate_id FROM affiliates WHERE test_of = :merchant_id

-- name: link_to_try
-- Return the newest link of an affiliate to a campaign that works, or to none if that is null.
SELECT code FROM links
WHERE account_id = :account_id AND affiliate_id = :affiliate_id AND disabled_at IS NULL
  AND COALESCE(campaign_id, '') = COALESCE(CAST(:campaign_id AS TEXT), '')
ORDER BY created_at DESC, code DESC
LIMIT 1

-- name: newest_active_campaign
-- Return the newest campaign of an account that is active, and how one joins it.
SELECT campaign_id, joining FROM campaigns
WHERE account_id = :account_id AND status = 'ACTIVE'
ORDER BY created_at DESC, campaign_id DESC
LIMIT 1

-- name: claim_coupons
-- Give coupons to an affiliate; return the codes that were free.
INSERT INTO affiliate_coupons (coupon_code, affiliate_id)
SELECT coupon_code, affiliate_id
FROM @rows(:coupons; coupon_code text, affiliate_id text)
WHERE true
ON CONFLICT (coupon_code) DO NOTHING
RETURNING coupon_code

-- name: set_affiliate_status
-- Set the status of an affiliate.
UPDATE affiliates SET status = :status WHERE affiliate_id = :affiliate_id

-- name: product_for_link
-- Return a product by the merchant's id, as a link needs it.
SELECT product_id, product_url, campaign_id
FROM products
WHERE account_id = :account_id AND external_product_id = :external_product_id

-- name: campaigns_named
-- Return the campaigns with this id or code, in whichever account they are.
SELECT c.*, a.merchant_id, a.mode, s.name AS merchant_name, s.currency
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN campaigns AS c
WHERE c.account_id = a.account_id AND (c.campaign_id = :reference OR c.campaign_code = :reference)

-- name: insert_tracking_code
-- Insert a tracking code and its account.
INSERT INTO tracking_codes (code, account_id) VALUES (:code, :account_id)

-- name: insert_link
-- Insert a link.
INSERT INTO links (account_id, code, affiliate_id, campaign_id, product_id, destination, name, subs, created_at)
VALUES (:account_id, :code, :affiliate_id, :campaign_id, :product_id, :destination, :name, :subs, :now)

-- name: set_link_name
-- Set what its affiliate calls a link; null is nothing.
UPDATE links SET name = CAST(:name AS TEXT) WHERE account_id = :account_id AND code = :code

-- name: link_of_product
-- Return an affiliate's newest link to a product in a campaign that is enabled and has no sub-ids.
SELECT code FROM links
WHERE affiliate_id = :affiliate_id AND account_id = :account_id AND campaign_id = :campaign_id
  AND product_id = :product_id AND disabled_at IS NULL AND subs IS NULL
ORDER BY created_at DESC, code DESC
LIMIT 1

-- name: set_campaign_hold
-- Set the hold of a campaign; null is the merchant's, else the hub's.
UPDATE campaigns SET hold_ms = CAST(:hold_ms AS BIGINT), updated_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: set_campaign_approval
-- Set the approval of a campaign and the status that follows from it.
UPDATE campaigns SET approval_status = :approval_status, status = :status, updated_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: note_campaign_change
-- Insert a status into a campaign's history.
INSERT INTO campaign_changes (account_id, campaign_id, changed_at, change_id, status)
VALUES (:account_id, :campaign_id, :now, :change_id, :status)

-- name: requeue_event
-- Make an event due again, as if it had just arrived.
UPDATE events
SET status = CASE type WHEN 'webhook' THEN 'QUEUED' ELSE 'RECEIVED' END, due_at = :now, attempts = 0,
    processed_at = NULL, explanation = NULL
WHERE account_id = :account_id AND event_id = :event_id AND status IN ('FAILED', 'UNMATCHED', 'PARKED')

-- name: attribute_conversion
-- Attribute a conversion under review to an affiliate.
UPDATE conversions SET review = 'ATTRIBUTED', affiliate_id = :affiliate_id, campaign_id = :campaign_id, reviewed_at = :now
WHERE account_id = :account_id AND conversion_id = :conversion_id AND review = 'OPEN'

-- name: dismiss_conversion
-- Close a review without a commission.
UPDATE conversions SET review = 'DISMISSED', reviewed_at = :now
WHERE account_id = :account_id AND conversion_id = :conversion_id AND review = 'OPEN'

-- name: pay_commission
-- Mark a live commission of an approved merchant as paid, if it is not paid yet and its hold is over.
UPDATE commissions
SET state = 'PAID', paid_at = :now, payout_reference = :reference, updated_at = :now
WHERE account_id = :account_id AND commission_id = :commission_id
  AND (state = 'PAYABLE' OR (state IN ('HOLD', 'APPROVED') AND hold_until <= :now))
  AND EXISTS (SELECT 1 FROM accounts AS a JOIN merchants AS m ON m.merchant_id = a.merchant_id
              WHERE a.account_id = commissions.account_id AND a.mode = 'live' AND m.status = 'APPROVED'
                AND (commissions.state = 'PAYABLE' OR COALESCE(m.deposit_required, 0) = 0))

-- name: note_address
-- Store an address of the running server.
INSERT INTO addresses (name, address) VALUES (:name, :address)
ON CONFLICT (name) DO UPDATE SET address = excluded.address

-- name: noted_address
-- Return an address that a server stored.
SELECT address FROM addresses WHERE name = :name

-- name: sealed_texts
-- Return every text with sealed secrets, to find the master keys they need.
SELECT sealed_secret AS sealed FROM api_keys
UNION ALL SELECT secrets FROM connections
UNION ALL SELECT sealed_link FROM mails WHERE sealed_link IS NOT NULL
UNION ALL SELECT sealed FROM payees
UNION ALL SELECT sealed FROM tax_details
UNION ALL SELECT sealed_payee FROM invoices
UNION ALL SELECT substr(sealed, 1, 80) FROM payout_files
UNION ALL SELECT totp_secret FROM users WHERE totp_secret IS NOT NULL
UNION ALL SELECT secrets FROM subscriptions
UNION ALL SELECT sealed FROM platform_access
UNION ALL SELECT sealed FROM platform_apps

-- name: close_reviews_for
-- Close the open questions about an order that have a reason.
UPDATE order_reviews SET closed_at = :now, note = :note
WHERE account_id = :account_id AND conversion_id = :conversion_id AND reason = :reason AND closed_at IS NULL

-- name: namesakes_waiting
-- Return the other orders under a number that nobody has answered about, up to a limit.
SELECT born, place, own_number, connection_id, report, asked_at
FROM order_namesakes
WHERE account_id = :account_id AND external_order_id = :external_order_id AND confirmed_at IS NULL
ORDER BY place
LIMIT :limit

-- name: confirm_namesakes
-- Mark the other orders under a number as orders of their own.
UPDATE order_namesakes SET confirmed_at = :now
WHERE account_id = :account_id AND external_order_id = :external_order_id AND confirmed_at IS NULL

-- name: close_order_reviews
-- Close the open questions about an order.
UPDATE order_reviews SET closed_at = :now, note = :note
WHERE account_id = :account_id AND conversion_id = :conversion_id AND closed_at IS NULL
