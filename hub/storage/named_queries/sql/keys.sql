-- name: keys
-- Return API keys without their secrets.
-- list: by created_at bigint, key_id text; small
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter key_id text: k.key_id = :key_id
SELECT k.key_id, a.merchant_id, a.mode, k.allowed_cidrs, k.expires_at, k.revoked_at, k.created_at, k.signature_version,
       k.name
FROM @listed(api_keys AS k)
JOIN accounts AS a ON a.account_id = k.account_id

-- name: insert_key
-- Insert an API key with its sealed secret.
INSERT INTO api_keys (key_id, account_id, sealed_secret, allowed_cidrs, expires_at, created_at, signature_version, name)
VALUES (:key_id, :account_id, :sealed_secret, :allowed_cidrs, :expires_at, :now, :signature_version, :name)

-- name: update_key
-- Replace a key's name, and from where and until when it is accepted.
UPDATE api_keys SET allowed_cidrs = :allowed_cidrs, expires_at = :expires_at, name = :name
WHERE key_id = :key_id AND revoked_at IS NULL

-- name: revoke_key
-- Revoke a key; a second revocation keeps the time of the first.
UPDATE api_keys SET revoked_at = :now WHERE key_id = :key_id AND revoked_at IS NULL
