-- name: set_user_settings
-- Set the settings of a user.
UPDATE users SET time_zone = :time_zone, zone_guessed = 0, theme = :theme, dense = :dense,
    slash_finds = :slash_finds WHERE user_id = :user_id

-- name: guess_time_zone
-- Set the time zone that a browser named, unless one is known.
UPDATE users SET time_zone = :time_zone, zone_guessed = 1 WHERE user_id = :user_id AND time_zone IS NULL

-- name: delete_user_role
-- Delete a role of a user.
DELETE FROM user_roles WHERE user_id = :user_id AND role = :role AND subject_id = :subject_id

-- name: lock_user
-- Lock a user until the transaction ends, and return its ways in.
UPDATE users SET status = status WHERE user_id = :user_id
RETURNING user_id, email, name, status, password_hash, password_since, totp_secret, totp_counter, totp_since,
          totp_proof_since

-- name: user_factors
-- Return the ways in of a user that are not links.
SELECT u.user_id, u.email, u.name, u.status, u.password_hash IS NOT NULL AS has_password, u.totp_secret,
       u.totp_counter, u.totp_since,
       (SELECT count(*) FROM passkeys AS p WHERE p.user_id = u.user_id) AS passkeys,
       (SELECT count(*) FROM recovery_codes AS c WHERE c.user_id = u.user_id AND c.used_at IS NULL) AS codes_left
FROM users AS u
WHERE u.user_id = :user_id

-- name: set_totp
-- Set the sealed secret of a user's authenticator app, and the step that was used last; nulls take it away.
UPDATE users SET totp_secret = :secret, totp_counter = :counter, totp_since = :now, totp_proof_since = :since
WHERE user_id = :user_id

-- name: use_totp_counter
-- Mark a step of a user's authenticator app as used; nothing if it or a later one was used before.
UPDATE users SET totp_counter = :counter
WHERE user_id = :user_id AND totp_secret IS NOT NULL AND (totp_counter IS NULL OR totp_counter < :counter)

-- name: sealed_totp_page
-- Return a page of the sealed secrets of authenticator apps, in the order of the users' ids.
SELECT user_id, totp_secret FROM users WHERE user_id > :after AND totp_secret IS NOT NULL ORDER BY user_id LIMIT :limit

-- name: reseal_totp
-- Replace the sealed secret of an authenticator app, if it is still the one that was read.
UPDATE users SET totp_secret = :new WHERE user_id = :user_id AND totp_secret = :old

-- name: delete_recovery_codes
-- Delete the recovery codes of a user.
DELETE FROM recovery_codes WHERE user_id = :user_id

-- name: insert_recovery_code
-- Insert a recovery code of a user.
INSERT INTO recovery_codes (user_id, code_hash) VALUES (:user_id, :code_hash)

-- name: use_recovery_code
-- Mark a recovery code of a user as used; nothing if it is unknown or was used before.
UPDATE recovery_codes SET used_at = :now WHERE user_id = :user_id AND code_hash = :code_hash AND used_at IS NULL

-- name: insert_passkey
-- Insert a passkey, unless it is somebody's already.
INSERT INTO passkeys (credential_id, user_id, public_key, sign_count, name, proof_since, created_at)
VALUES (:credential_id, :user_id, :public_key, :sign_count, :name, :since, :now)
ON CONFLICT (credential_id) DO NOTHING

-- name: passkeys_of_user
-- Return the passkeys of a user, oldest first.
SELECT credential_id, name, created_at, used_at FROM passkeys WHERE user_id = :user_id ORDER BY created_at, credential_id

-- name: passkey_by_id
-- Return a passkey and its user, unless that one was disabled.
SELECT p.credential_id, p.user_id, p.public_key, p.sign_count, p.name, p.proof_since
FROM passkeys AS p
JOIN users AS u ON u.user_id = p.user_id
WHERE p.credential_id = :credential_id AND u.status = 'ACTIVE'

-- name: use_passkey
-- Set when a passkey was last used, and its counter, if that is still the one that was verified.
UPDATE passkeys SET used_at = :now, sign_count = :sign_count WHERE credential_id = :credential_id AND sign_count = :seen

-- name: rename_passkey
-- Set the name of a passkey of a user.
UPDATE passkeys SET name = :name WHERE credential_id = :credential_id AND user_id = :user_id

-- name: delete_passkey
-- Delete a passkey of a user.
DELETE FROM passkeys WHERE credential_id = :credential_id AND user_id = :user_id

-- name: delete_passkeys_of_user
-- Delete all passkeys of a user.
DELETE FROM passkeys WHERE user_id = :user_id

-- name: put_sign_in_step
-- Store what a browser has begun, in place of what it had begun of the same kind.
INSERT INTO sign_in_steps (token_hash, kind, user_id, value, expires_at)
VALUES (:token_hash, :kind, :user_id, :value, :expires_at)
ON CONFLICT (token_hash, kind) DO UPDATE
SET user_id = excluded.user_id, value = excluded.value, expires_at = excluded.expires_at

-- name: sign_in_step
-- Return what a browser has begun and not finished.
SELECT user_id, value FROM sign_in_steps WHERE token_hash = :token_hash AND kind = :kind AND expires_at > :now

-- name: take_sign_in_step
-- Return what a browser has begun, and delete it: it works once.
DELETE FROM sign_in_steps WHERE token_hash = :token_hash AND kind = :kind AND expires_at > :now
RETURNING user_id, value

-- name: sweep_sign_in_steps
-- Delete what was begun and expired before a moment.
DELETE FROM sign_in_steps WHERE expires_at < :cutoff

-- name: strengthen_session
-- Set that the person of a session proved more than a password, and just now.
UPDATE sessions SET strong = 1, confirmed_at = :now, proof_since = :since WHERE session_id = :session_id

-- name: insert_registration
-- Insert a registration that waits for its link.
INSERT INTO registrations (token_hash, email, kind, name, currency, platform, invited_by, issued_by, token_id, account_id,
                           expires_at)
VALUES (:token_hash, :email, :kind, :name, :currency, :platform, :invited_by, :issued_by, :token_id, :account_id,
        :expires_at)

-- name: live_registration
-- Return a registration whose link was not used and has not expired.
SELECT email, kind, name, currency, platform, invited_by, account_id FROM registrations
WHERE token_hash = :token_hash AND used_at IS NULL AND expires_at > :now

-- name: use_registration
-- Mark a registration as used; return it, nothing if it was used before or has expired.
UPDATE registrations SET used_at = :now WHERE token_hash = :token_hash AND used_at IS NULL AND expires_at > :now
RETURNING email, kind, name, currency, platform, invited_by, issued_by, token_id, account_id

-- name: sweep_registrations
-- Delete the registrations that expired before a moment.
DELETE FROM registrations WHERE expires_at < :cutoff
