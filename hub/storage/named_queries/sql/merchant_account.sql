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
