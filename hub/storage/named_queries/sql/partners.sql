-- name: write_invitation
-- Insert an invitation of a partner; one that was sent before and not accepted is replaced.
INSERT INTO partner_invitations (account_id, email_key, email, campaign_id, invited_by, invited_at)
VALUES (:account_id, :email_key, :email, CAST(:campaign_id AS TEXT), :invited_by, :now)
ON CONFLICT (account_id, email_key) DO UPDATE
SET campaign_id = excluded.campaign_id, invited_by = excluded.invited_by, invited_at = excluded.invited_at
WHERE partner_invitations.accepted_at IS NULL

-- name: invitations_of_account
-- Return the invitations of partners that were not accepted yet, newest first.
SELECT email, campaign_id, invited_at FROM partner_invitations
WHERE account_id = :account_id AND accepted_at IS NULL
ORDER BY invited_at DESC, email_key
LIMIT :limit

-- name: invitations_since
-- Count the invitations that an account sent since a moment.
SELECT COUNT(*) AS sent FROM partner_invitations WHERE account_id = :account_id AND invited_at >= :since

-- name: invitation_of
-- Return the invitation of a partner by its address.
SELECT campaign_id, accepted_at FROM partner_invitations WHERE account_id = :account_id AND email_key = :email_key

-- name: accept_invitation
-- Mark the invitation of a partner as accepted.
UPDATE partner_invitations SET affiliate_id = :affiliate_id, accepted_at = :now
WHERE account_id = :account_id AND email_key = :email_key AND accepted_at IS NULL

-- name: delete_invitation
-- Delete an invitation that was not accepted.
DELETE FROM partner_invitations WHERE account_id = :account_id AND email_key = :email_key AND accepted_at IS NULL

-- name: void_registrations_of
-- Delete the open links by which an address would become the partner of an account.
DELETE FROM registrations WHERE account_id = :account_id AND lower(email) = :email_key AND used_at IS NULL

-- name: active_campaigns_of
-- Return the active campaigns of an account, newest first.
SELECT campaign_id FROM campaigns
WHERE account_id = :account_id AND status = 'ACTIVE'
ORDER BY created_at DESC, campaign_id DESC
LIMIT :limit

-- name: merchant_of_account
-- Return whose account this is, and where its links may lead.
SELECT m.merchant_id, m.name, m.domains, a.mode
FROM accounts AS a
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE a.account_id = :account_id

-- name: affiliate_of_person
-- Return the affiliate that the person with an address belongs to.
SELECT r.subject_id AS affiliate_id, u.user_id
FROM users AS u
JOIN user_roles AS r ON r.user_id = u.user_id AND r.role = 'affiliate'
WHERE u.email_key = :email_key AND u.status = 'ACTIVE'
ORDER BY r.created_at
LIMIT 1

-- name: sellers_of_account
-- Return the affiliates with links to an account, with the first of each.
SELECT l.affiliate_id, f.name, f.email, f.test_of, MIN(l.created_at) AS since, COUNT(*) AS links
FROM links AS l
JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
WHERE l.account_id = :account_id
GROUP BY l.affiliate_id, f.name, f.email, f.test_of
ORDER BY l.affiliate_id
LIMIT :limit

-- name: people_of_merchant
-- Return the people of a merchant, oldest first, with when each last signed in.
SELECT u.user_id, u.email, u.name, u.status, r.level, r.created_at,
       (SELECT MAX(s.seen_at) FROM sessions AS s WHERE s.user_id = u.user_id) AS seen_at
FROM user_roles AS r
JOIN users AS u ON u.user_id = r.user_id
WHERE r.role = 'merchant' AND r.subject_id = :merchant_id
ORDER BY r.created_at, u.user_id


-- name: partner_note
-- Return what an account notes of an affiliate.
SELECT note FROM partner_notes WHERE account_id = :account_id AND affiliate_id = :affiliate_id

-- name: write_partner_note
-- Insert what an account notes of an affiliate, or write it anew.
INSERT INTO partner_notes (account_id, affiliate_id, note, noted_by, noted_at)
VALUES (:account_id, :affiliate_id, :note, :by, :now)
ON CONFLICT (account_id, affiliate_id) DO UPDATE
SET note = excluded.note, noted_by = excluded.noted_by, noted_at = excluded.noted_at

-- name: delete_partner_note
-- Delete what an account notes of an affiliate.
DELETE FROM partner_notes WHERE account_id = :account_id AND affiliate_id = :affiliate_id
