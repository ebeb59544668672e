-- Bearer tokens of operators, affiliates and merchants, and the answers that they were given.

-- name: insert_token
-- Store a token; of its secret part only the digest.
INSERT INTO api_tokens (token_id, name, scopes, affiliate_id, account_id, user_id, secret_hash, allowed_cidrs, expires_at, revoked_at,
                        last_used_at, last_address, created_at)
VALUES (:token_id, :name, :scopes, :affiliate_id, :account_id, :user_id, :secret_hash, :allowed_cidrs, :expires_at, NULL, NULL, NULL, :now)

-- name: token_by_id
-- Return a token with what decides whether it counts: its person's status and roles, and its merchant.
SELECT t.token_id, t.name, t.scopes, t.affiliate_id, t.account_id, t.user_id, t.secret_hash, t.allowed_cidrs, t.expires_at, t.revoked_at,
       t.last_used_at, t.last_address, t.created_at, u.status AS user_status, a.status AS affiliate_status,
       (SELECT count(*) FROM user_roles AS r WHERE r.user_id = t.user_id AND r.role = 'operator-admin') AS admin_roles,
       (SELECT count(*) FROM user_roles AS r WHERE r.user_id = t.user_id AND r.role = 'operator') AS operator_roles,
       (SELECT count(*) FROM user_roles AS r WHERE r.user_id = t.user_id AND r.role = 'affiliate'
            AND r.subject_id = t.affiliate_id) AS affiliate_roles,
       (SELECT count(*) FROM user_roles AS r WHERE r.user_id = t.user_id AND r.role = 'merchant'
            AND r.subject_id = o.merchant_id) AS merchant_roles,
       (SELECT count(*) FROM user_roles AS r WHERE r.user_id = t.user_id AND r.role = 'merchant'
            AND r.subject_id = o.merchant_id AND r.level = 'owner') AS owner_roles,
       o.merchant_id, o.mode, o.signed_only, m.status AS merchant_status, m.currency, m.domains
FROM api_tokens AS t
LEFT JOIN users AS u ON u.user_id = t.user_id
LEFT JOIN affiliates AS a ON a.affiliate_id = t.affiliate_id
LEFT JOIN accounts AS o ON o.account_id = t.account_id
LEFT JOIN merchants AS m ON m.merchant_id = o.merchant_id
WHERE t.token_id = :token_id

-- name: revoke_token
-- Revoke a token.
UPDATE api_tokens SET revoked_at = :now WHERE token_id = :token_id AND revoked_at IS NULL

-- name: revoke_tokens_of_merchant
-- Revoke every token of a merchant that is not revoked yet.
UPDATE api_tokens SET revoked_at = :now
WHERE revoked_at IS NULL AND account_id IN (SELECT account_id FROM accounts WHERE merchant_id = :merchant_id)

-- name: signed_only
-- Return whether only signatures count, for both accounts of a merchant.
SELECT mode, signed_only FROM accounts WHERE merchant_id = :merchant_id ORDER BY mode

-- name: set_signed_only
-- Set whether only signatures count in an account.
UPDATE accounts SET signed_only = :signed_only WHERE account_id = :account_id

-- name: touch_token
-- Set when and from where a token was last used.
UPDATE api_tokens SET last_used_at = :now, last_address = :address WHERE token_id = :token_id

-- name: claim_token_answer
-- Insert the idempotency key under which an act was asked for, in the act's transaction.
INSERT INTO token_answers (token_id, idempotency_key, fingerprint, status, sealed_answer, created_at)
VALUES (:token_id, :key, :fingerprint, NULL, NULL, :now)
ON CONFLICT (token_id, idempotency_key) DO NOTHING

-- name: keep_token_answer
-- Store the answer of an act that was done under an idempotency key.
UPDATE token_answers SET status = :status, sealed_answer = :sealed_answer
WHERE token_id = :token_id AND idempotency_key = :key

-- name: token_answer
-- Return what was answered under an idempotency key.
SELECT fingerprint, status, sealed_answer FROM token_answers WHERE token_id = :token_id AND idempotency_key = :key

-- name: sweep_token_answers
-- Delete answers that nobody repeats any more.
DELETE FROM token_answers WHERE created_at < :cutoff

-- name: living_tokens
-- Count the tokens of a person that have not ended.
SELECT COUNT(*) AS tokens
FROM api_tokens
WHERE user_id = :user_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
