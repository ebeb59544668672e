-- name: insert_notices
-- Insert a notice for each active person of a party, except who did it, to be mailed as they chose.
INSERT INTO notices (notice_id, user_id, kind, sentence, address, created_at, mail_due_at)
SELECT CAST(:notice_id AS TEXT) || '.' || p.user_id, p.user_id, CAST(:kind AS TEXT), CAST(:sentence AS TEXT),
       CAST(:address AS TEXT), CAST(:now AS BIGINT),
       CASE COALESCE(c.mail, CAST(:usual AS TEXT)) WHEN 'AT_ONCE' THEN CAST(:at_once AS BIGINT)
                                                   WHEN 'DAILY' THEN CAST(:daily AS BIGINT) END
FROM (SELECT DISTINCT r.user_id FROM user_roles AS r
      WHERE r.subject_id = :subject_id
        AND (r.role = :role OR (CAST(:role AS TEXT) = 'operator' AND r.role = 'operator-admin'))) AS p
JOIN users AS u ON u.user_id = p.user_id
LEFT JOIN notice_choices AS c ON c.user_id = p.user_id AND c.kind = :kind
WHERE u.status = 'ACTIVE' AND u.user_id <> :actor

-- name: notices
-- Return the notices of people.
-- list: by notice_id text; indexed (user_id)
-- filter user_id text: n.user_id = :user_id
SELECT n.notice_id, n.kind, n.sentence, n.address, n.created_at, n.read_at
FROM @listed(notices AS n)

-- name: unread_notices
-- Return what the newest unread notices of a person are about.
SELECT address FROM notices
WHERE user_id = :user_id AND read_at IS NULL
ORDER BY notice_id DESC
LIMIT :limit

-- name: read_notices
-- Mark the notices of a person as read.
UPDATE notices SET read_at = :now, mail_due_at = NULL WHERE user_id = :user_id AND read_at IS NULL

-- name: notice_choices
-- Return how a person wants kinds of notices mailed.
SELECT kind, mail FROM notice_choices WHERE user_id = :user_id

-- name: write_notice_choice
-- Store how a person wants a kind of notices mailed.
INSERT INTO notice_choices (user_id, kind, mail) VALUES (:user_id, :kind, :mail)
ON CONFLICT (user_id, kind) DO UPDATE SET mail = excluded.mail

-- name: due_notices
-- Return notices that are to be mailed by now, person by person.
SELECT n.notice_id, n.user_id, n.sentence, n.address, n.created_at, u.email
FROM (SELECT notice_id FROM notices WHERE mail_due_at <= :now ORDER BY mail_due_at LIMIT :limit) AS d
JOIN notices AS n ON n.notice_id = d.notice_id
JOIN users AS u ON u.user_id = n.user_id
ORDER BY n.user_id, n.notice_id

-- name: claim_notices
-- Mark notices as mailed; return those that nobody else has mailed.
UPDATE notices SET mail_due_at = NULL
WHERE notice_id IN @list(:notices text) AND mail_due_at IS NOT NULL
RETURNING notice_id

-- name: sweep_notices
-- Delete the notices that were written before a moment.
DELETE FROM notices WHERE created_at < :cutoff
