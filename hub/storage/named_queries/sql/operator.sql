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

-- name: product_for_link
-- Return a product by the merchant's id, as a link needs it.
SELECT product_id, product_url, campaign_id
FROM products
WHERE account_id = :account_id AND external_product_id = :external_product_id

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
-- Mark a live commission of an approved merchant as paid, if it is payable.
UPDATE commissions
SET state = 'PAID', paid_at = :now, payout_reference = :reference, updated_at = :now
WHERE account_id = :account_id AND commission_id = :commission_id AND state = 'PAYABLE'
  AND EXISTS (SELECT 1 FROM accounts AS a JOIN merchants AS m ON m.merchant_id = a.merchant_id
              WHERE a.account_id = commissions.account_id AND a.mode = 'live' AND m.status = 'APPROVED')

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
UNION ALL SELECT substr(sealed, 1, 80) FROM bank_report_contents
UNION ALL SELECT substr(sealed, 1, 80) FROM bank_report_verdicts
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
