-- name: insert_user
-- Insert a user, unless one has the same e-mail address; return the id.
INSERT INTO users (user_id, email, email_key, name, status, created_at)
VALUES (:user_id, :email, :email_key, :name, 'ACTIVE', :now)
ON CONFLICT (email_key) DO NOTHING
RETURNING user_id

-- name: insert_user_role
-- Insert a role of a user.
INSERT INTO user_roles (user_id, role, subject_id, level, created_at)
VALUES (:user_id, :role, :subject_id, :level, :now)

-- name: names_of_subjects
-- Return the names of these merchants and affiliates.
SELECT merchant_id AS id, name FROM merchants WHERE merchant_id IN @list(:subjects text)
UNION ALL
SELECT affiliate_id AS id, name FROM affiliates WHERE affiliate_id IN @list(:subjects text)

-- name: user_by_email
-- Return the user with an e-mail address, given in one case.
SELECT user_id, email, name, status, password_hash, password_since FROM users WHERE email_key = :email_key

-- name: update_user
-- Set the name and the e-mail address of a user.
UPDATE users SET name = :name, email = :email, email_key = :email_key WHERE user_id = :user_id

-- name: set_user_status
-- Set the status of a user.
UPDATE users SET status = :status WHERE user_id = :user_id

-- name: lock_administrators
-- Lock the first user until the transaction ends, so that those that take an administrator away take turns.
UPDATE users SET status = status WHERE user_id = (SELECT min(user_id) FROM users)

-- name: another_administrator
-- Return an ACTIVE user with the role operator-admin who is not the one with this id.
SELECT u.user_id
FROM user_roles AS r
JOIN users AS u ON u.user_id = r.user_id
WHERE r.role = 'operator-admin' AND u.status = 'ACTIVE' AND u.user_id <> :user_id
LIMIT 1

-- name: put_introduction
-- Store who let a person in, how, and when they last did.
INSERT INTO introductions (user_id, introduced_by, means, token_id, introduced_at)
VALUES (:user_id, :introduced_by, :means, :token_id, :now)
ON CONFLICT (user_id, introduced_by, means) DO UPDATE
SET token_id = excluded.token_id, introduced_at = excluded.introduced_at

-- name: introductions_since
-- Return who let whom in after a moment.
SELECT DISTINCT user_id, introduced_by FROM introductions WHERE introduced_at > :since

-- name: introductions_of
-- Return who let a person in, how, and when they last did, newest first.
SELECT i.introduced_by, i.means, i.token_id, i.introduced_at, u.name
FROM introductions AS i
LEFT JOIN users AS u ON u.user_id = i.introduced_by
WHERE i.user_id = :user_id
ORDER BY i.introduced_at DESC, i.introduced_by, i.means

-- name: administrators
-- Return the active users who are operator-admins.
SELECT u.user_id, u.email
FROM user_roles AS r
JOIN users AS u ON u.user_id = r.user_id
WHERE r.role = 'operator-admin' AND u.status = 'ACTIVE'
ORDER BY u.user_id

-- name: set_password
-- Set the password of a user.
UPDATE users SET password_hash = :password_hash, password_since = :since WHERE user_id = :user_id

-- name: note_asked_link
-- Store that the person with an e-mail address asks for a sign-in link.
UPDATE users SET link_asked_at = :now WHERE email_key = :email_key

-- name: insert_login_link
-- Insert a sign-in link.
INSERT INTO login_links (token_hash, user_id, expires_at, purpose, issued_by, token_id)
VALUES (:token_hash, :user_id, :expires_at, :purpose, :issued_by, :token_id)

-- name: live_login_link
-- Return the user of a sign-in link that was not used and has not expired.
SELECT u.user_id, u.email, l.purpose
FROM login_links AS l
JOIN users AS u ON u.user_id = l.user_id
WHERE l.token_hash = :token_hash AND l.used_at IS NULL AND l.expires_at > :now AND u.status = 'ACTIVE'

-- name: use_login_link
-- Mark a sign-in link as used; return whose it is, nothing if it was used before or has expired.
UPDATE login_links SET used_at = :now
WHERE token_hash = :token_hash AND used_at IS NULL AND expires_at > :now
RETURNING user_id, purpose, issued_by, token_id

-- name: user_names
-- Return the names of these users.
SELECT user_id, name, email FROM users WHERE user_id IN @list(:users text)

-- name: delete_login_links_of_user
-- Delete the sign-in links of a user.
DELETE FROM login_links WHERE user_id = :user_id

-- name: sweep_login_links
-- Delete the sign-in links that expired before a moment.
DELETE FROM login_links WHERE expires_at < :cutoff

-- name: insert_session
-- Insert a session, unless its person was disabled meanwhile; return its id.
INSERT INTO sessions (token_hash, session_id, user_id, created_at, seen_at, confirmed_at, expires_at, user_agent, address,
                      strong, visitor, proof_since, let_in_by)
SELECT :token_hash, :session_id, u.user_id, :now, :now, :confirmed_at, :expires_at, :user_agent, :address, :strong,
       :visitor, :proof_since, :let_in_by
FROM users AS u
WHERE u.user_id = :user_id AND u.status = 'ACTIVE'
RETURNING session_id

-- name: session_by_token
-- Return a session that has not ended, with its person.
SELECT s.session_id, s.user_id, s.created_at, s.seen_at, s.confirmed_at, s.proof_since, s.let_in_by, s.strong, u.email,
       u.name, (SELECT max(i.introduced_at) FROM introductions AS i WHERE i.user_id = u.user_id) AS introduced_at,
       u.password_hash IS NOT NULL AS has_password, u.totp_secret IS NOT NULL AS has_app, u.time_zone, u.zone_guessed,
       u.theme, u.dense, u.slash_finds, (SELECT count(*) FROM passkeys AS p WHERE p.user_id = u.user_id) AS passkeys
FROM sessions AS s
JOIN users AS u ON u.user_id = s.user_id
WHERE s.token_hash = :token_hash AND s.expires_at > :now AND s.seen_at > :idle_since AND u.status = 'ACTIVE'

-- name: roles_by_token
-- Return the roles of the person whose session it is.
SELECT r.role, r.subject_id, r.level
FROM sessions AS s
JOIN user_roles AS r ON r.user_id = s.user_id
WHERE s.token_hash = :token_hash
ORDER BY r.role, r.subject_id

-- name: sessions_of_user
-- Return the sessions of a user that have not ended, newest first.
SELECT session_id, created_at, seen_at, expires_at, user_agent, address
FROM sessions
WHERE user_id = :user_id AND expires_at > :now AND seen_at > :idle_since
ORDER BY created_at DESC, session_id DESC

-- name: living_sessions_by_device
-- Return how many sessions of a user have not ended, and how many of them are on a device of this name.
SELECT count(*) AS sessions, count(CASE WHEN user_agent = :device THEN 1 END) AS known
FROM sessions
WHERE user_id = :user_id AND expires_at > :now

-- name: touch_session
-- Set when a session was last used.
UPDATE sessions SET seen_at = :now WHERE token_hash = :token_hash AND seen_at < :now

-- name: confirm_session
-- Set when the person of a session last proved who they are.
UPDATE sessions SET confirmed_at = :now, proof_since = :since WHERE session_id = :session_id

-- name: delete_session
-- Delete a session of a user.
DELETE FROM sessions WHERE user_id = :user_id AND session_id = :session_id

-- name: delete_sessions_of_user
-- Delete the sessions of a user but one.
DELETE FROM sessions WHERE user_id = :user_id AND session_id <> :kept

-- name: sweep_sessions
-- Delete the sessions that ended before a moment.
DELETE FROM sessions WHERE expires_at < :cutoff

-- name: hold_sign_in_failures
-- Lock the failures of an origin until the transaction ends, and return them.
INSERT INTO sign_in_failures (origin, failures, failed_at) VALUES (:origin, 0, :now)
ON CONFLICT (origin) DO UPDATE SET failures = sign_in_failures.failures
RETURNING failures, failed_at

-- name: set_sign_in_failures
-- Set the failures of an origin.
UPDATE sign_in_failures SET failures = :failures, failed_at = :now WHERE origin = :origin

-- name: forgive_sign_in_failures
-- Take back one failure of an address, and all of an account.
UPDATE sign_in_failures
SET failures = CASE WHEN origin = :address_origin AND failures > 0 THEN failures - 1 ELSE 0 END
WHERE origin = :address_origin OR origin = :account_origin

-- name: sweep_sign_in_failures
-- Delete the failures from before a moment.
DELETE FROM sign_in_failures WHERE failed_at < :cutoff

-- name: administrator_with_email
-- Return the active user with an address who is an operator-admin.
SELECT u.user_id
FROM users AS u
JOIN user_roles AS r ON r.user_id = u.user_id
WHERE u.email_key = :email_key AND u.status = 'ACTIVE' AND r.role = 'operator-admin'
