-- name: troubles_noted
-- Return the troubles that are noted, those that are over and not told yet among them.
SELECT kind, object, sentence, since, mailed, posted, over_at FROM troubles ORDER BY since, kind, object

-- name: note_trouble
-- Insert a trouble that began, or bring the sentence of one that is noted up to date; it lasts, again if it was over.
INSERT INTO troubles (kind, object, sentence, since, mailed, posted)
VALUES (:kind, :object, :sentence, :since, 0, 0)
ON CONFLICT (kind, object) DO UPDATE SET sentence = excluded.sentence, over_at = NULL

-- name: end_trouble
-- Mark a trouble as over.
UPDATE troubles SET over_at = :now WHERE kind = :kind AND object = :object AND over_at IS NULL

-- name: mark_trouble
-- Set how far mails and webhooks have told of a trouble.
UPDATE troubles SET mailed = :mailed, posted = :posted WHERE kind = :kind AND object = :object

-- name: forget_trouble
-- Delete a trouble that is over.
DELETE FROM troubles WHERE kind = :kind AND object = :object AND over_at IS NOT NULL

-- name: last_trouble_mail
-- Return when operators were last sent a mail about troubles.
SELECT sent_at FROM trouble_mails WHERE name = 'operators'

-- name: note_trouble_mail
-- Store when operators were last sent a mail about troubles.
INSERT INTO trouble_mails (name, sent_at) VALUES ('operators', :now)
ON CONFLICT (name) DO UPDATE SET sent_at = excluded.sent_at

-- name: addresses_of_operators
-- Return the active people who are operators, each once.
SELECT DISTINCT u.user_id, u.email
FROM users AS u
JOIN user_roles AS r ON r.user_id = u.user_id
WHERE u.status = 'ACTIVE' AND r.role IN ('operator', 'operator-admin')
ORDER BY u.user_id

-- name: note_backup
-- Store when the newest backup was made, and its size.
INSERT INTO backup_runs (name, finished_at, bytes) VALUES ('newest', :now, :bytes)
ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at, bytes = excluded.bytes

-- name: last_backup
-- Return the newest backup that was noted.
SELECT finished_at, bytes FROM backup_runs WHERE name = 'newest'

-- name: mails_failing
-- Count the mails that wait because an attempt failed, and since when the oldest of them does.
SELECT COUNT(*) AS mails, MIN(created_at) AS since
FROM mails
WHERE due_at IS NOT NULL AND status = 'WAITING' AND fault IS NOT NULL

-- name: mails_given_up
-- Count the mails that were given up since a moment.
SELECT COUNT(*) AS mails, MIN(finished_at) AS since
FROM mails
WHERE finished_at > :since AND status = 'GIVEN_UP'

-- name: receivers_failing
-- Count the subscriptions whose receiver has failed since before a moment.
SELECT COUNT(*) AS receivers, MIN(failing_since) AS since
FROM subscriptions
WHERE status = 'ACTIVE' AND failing_since <= :before

-- name: platforms_refusing
-- Count the connections whose platform does not take the hub's credentials any more.
SELECT COUNT(*) AS connections, MIN(p.fault_at) AS since
FROM platform_access AS p
JOIN connections AS c ON c.account_id = p.account_id AND c.connection_id = p.connection_id
WHERE p.fault_at IS NOT NULL AND c.status = 'ACTIVE'

-- name: stores_silent
-- Count the active connections whose last delivery came between two moments.
SELECT COUNT(*) AS connections, MIN(k.last_at) AS since
FROM (SELECT (SELECT e.received_at FROM events AS e
              WHERE e.account_id = c.account_id AND e.connection_id = c.connection_id
              ORDER BY e.event_id DESC LIMIT 1) AS last_at
      FROM connections AS c
      WHERE c.status = 'ACTIVE') AS k
WHERE k.last_at < :before AND k.last_at >= :since

-- name: uploads_stuck
-- Count the files that nobody goes on with: whose process fell silent, or that wait while no file of the account is read.
SELECT COUNT(*) AS uploads, MIN(u.created_at) AS since
FROM uploads AS u
WHERE u.status IN ('QUEUED', 'RUNNING') AND u.source = 'spool' AND u.lease_until < :silent AND u.created_at < :before
  AND NOT EXISTS (SELECT 1 FROM uploads AS r
                  WHERE r.account_id = u.account_id AND r.status = 'RUNNING' AND r.lease_until >= :silent)

-- name: keys_ending
-- Return the key or token that ends first of the live ones made for long that end between two moments; how many do.
SELECT k.key_id, k.expires_at, COUNT(*) OVER () AS keys
FROM (SELECT a.key_id, a.expires_at FROM api_keys AS a JOIN accounts AS c ON c.account_id = a.account_id
      WHERE a.revoked_at IS NULL AND c.mode = 'live' AND a.expires_at > :now AND a.expires_at <= :before
        AND a.expires_at - a.created_at >= :life
      UNION ALL
      SELECT t.token_id, t.expires_at FROM api_tokens AS t
      WHERE t.revoked_at IS NULL AND t.last_used_at IS NOT NULL AND t.expires_at > :now AND t.expires_at <= :before
        AND t.expires_at - t.created_at >= :life) AS k
ORDER BY k.expires_at, k.key_id
LIMIT 1

-- name: oldest_merchant
-- Return when the first merchant was made, which is how long the hub has been in use.
SELECT MIN(created_at) AS since FROM merchants
