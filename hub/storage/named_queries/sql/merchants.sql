-- name: merchants
-- Return merchants; a search is a pattern of their names, e-mail addresses and domains.
-- list: by merchant_id text; small
-- filter status text: CASE WHEN m.closed_at IS NULL THEN m.status ELSE 'CLOSED' END = :status
-- filter search text: lower(m.name) LIKE :search ESCAPE '!' OR lower(m.email) LIKE :search ESCAPE '!' OR lower(m.domains) LIKE :search ESCAPE '!'
SELECT m.merchant_id, m.name, m.email, m.domains, m.created_at, m.live_access,
       CASE WHEN m.closed_at IS NULL THEN m.status ELSE 'CLOSED' END AS status
FROM @listed(merchants AS m)

-- fragment: with_accounts
-- What is shown of a merchant, with the ids of its two accounts.
SELECT m.merchant_id, m.name, m.email, m.domains, m.currency, m.commission_type, m.commission_value, m.hold_ms,
       CASE WHEN m.closed_at IS NULL THEN m.status ELSE 'CLOSED' END AS status,
       m.status_reason, m.live_access, m.closed_at, m.created_at, m.updated_at, test.account_id AS test_account_id, live.account_id AS live_account_id
FROM merchants AS m
JOIN accounts AS test ON test.merchant_id = m.merchant_id AND test.mode = 'test'
JOIN accounts AS live ON live.merchant_id = m.merchant_id AND live.mode = 'live'

-- name: merchants_with_accounts
-- Return all merchants with the ids of their two accounts, oldest first.
@fragment(with_accounts)
ORDER BY m.merchant_id

-- name: merchant_with_accounts
-- Return one merchant with the ids of its two accounts.
@fragment(with_accounts)
WHERE m.merchant_id = :merchant_id

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

-- name: merchant_standing
-- Return what a merchant filled in and asked for.
SELECT merchant_id, name, status, domains, profile, platform, live_access, live_asked_at, live_note, live_reason
FROM merchants
WHERE merchant_id = :merchant_id

-- name: set_merchant_profile
-- Store a merchant's profile and the status that follows from it.
UPDATE merchants SET profile = :profile, status = :status, updated_at = :now WHERE merchant_id = :merchant_id

-- name: set_merchant_platform
-- Store what a merchant's shop runs on.
UPDATE merchants SET platform = :platform WHERE merchant_id = :merchant_id

-- name: is_set_up
-- Return whether an account has earned somebody a commission, 1 or 0.
SELECT EXISTS (SELECT 1 FROM commissions WHERE account_id = :account_id) AS is_set_up

-- name: set_live_access
-- Store how a merchant's wish for live access stands.
UPDATE merchants
SET live_access = :access, live_reason = CAST(:reason AS TEXT), updated_at = :now,
    live_note = CASE WHEN :access = 'ASKED' THEN CAST(:note AS TEXT) ELSE live_note END,
    live_asked_at = COALESCE(CAST(:asked_at AS BIGINT), live_asked_at)
WHERE merchant_id = :merchant_id

-- name: merchants_asking
-- Return the merchants that wait for an operator: to be approved, or for live access; those that waited longest first.
SELECT merchant_id, name, status, live_access, live_asked_at, updated_at
FROM merchants
WHERE closed_at IS NULL AND (status = 'IN_REVIEW' OR live_access = 'ASKED')
ORDER BY COALESCE(live_asked_at, updated_at), merchant_id

-- name: domains_of_merchant
-- Return the domains that a merchant added itself, oldest first; only one if it is given.
SELECT domain, token, added_at, checked_at, fault, proved_at, method
FROM merchant_domains
WHERE merchant_id = :merchant_id AND (CAST(:domain AS TEXT) IS NULL OR domain = CAST(:domain AS TEXT))
ORDER BY added_at, domain

-- name: insert_merchant_domain
-- Insert a domain that a merchant is to prove, unless it is there.
INSERT INTO merchant_domains (merchant_id, domain, token, added_at)
VALUES (:merchant_id, :domain, :token, :now)
ON CONFLICT (merchant_id, domain) DO NOTHING

-- name: note_domain_check
-- Store what an attempt to prove a domain found.
UPDATE merchant_domains
SET checked_at = :now, fault = CAST(:fault AS TEXT), method = COALESCE(method, CAST(:method AS TEXT)),
    proved_at = CASE WHEN CAST(:method AS TEXT) IS NULL THEN proved_at ELSE COALESCE(proved_at, :now) END
WHERE merchant_id = :merchant_id AND domain = :domain AND token = :token

-- name: delete_merchant_domain
-- Delete a domain that a merchant added.
DELETE FROM merchant_domains WHERE merchant_id = :merchant_id AND domain = :domain

-- name: set_merchant_domains
-- Replace the approved domains of a merchant.
UPDATE merchants SET domains = :domains, updated_at = :now WHERE merchant_id = :merchant_id
