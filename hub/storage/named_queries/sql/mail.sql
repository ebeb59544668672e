-- name: insert_mail
-- Insert a mail that is due at once.
INSERT INTO mails (mail_id, user_id, recipient, template, parameters, sealed_link, expires_at, status, attempts,
                   created_at, due_at)
VALUES (:mail_id, :user_id, :recipient, :template, :parameters, :sealed_link, :expires_at, 'WAITING', 0, :now, :now)

-- name: due_mails
-- Return the next mails that are due, oldest first.
SELECT mail_id, recipient, template, parameters, sealed_link, expires_at, attempts, created_at, due_at
FROM mails
WHERE due_at IS NOT NULL AND due_at <= :now
ORDER BY due_at
LIMIT :limit

-- name: claim_mail
-- Count an attempt of a mail and put it off, unless another process did since it was seen.
UPDATE mails SET attempts = attempts + 1, due_at = :due_at WHERE mail_id = :mail_id AND due_at = :seen

-- name: postpone_mail
-- Set when a mail that failed is tried again.
UPDATE mails SET due_at = :due_at, fault = :fault WHERE mail_id = :mail_id AND status = 'WAITING'

-- name: finish_mail
-- Set what became of a mail, which is tried no more; drop its link if it was sent or has expired.
UPDATE mails
SET status = :status, fault = :fault, due_at = NULL, finished_at = :now,
    sealed_link = CASE WHEN :status = 'SENT' OR expires_at <= :now THEN NULL ELSE sealed_link END
WHERE mail_id = :mail_id AND status = 'WAITING'

-- name: retry_mail
-- Make a mail due that was given up or waits, with the whole time for its attempts again.
UPDATE mails SET status = 'WAITING', due_at = :now, finished_at = NULL, attempts = 0, created_at = :now
WHERE mail_id = :mail_id AND status <> 'SENT'

-- name: mails
-- Return mails, sent or not.
-- list: by mail_id text; indexed ()
-- filter status text: m.status = :status
-- filter recipient text: lower(m.recipient) = :recipient
SELECT m.mail_id, m.recipient, m.template, m.status, m.attempts, m.created_at, m.due_at, m.finished_at, m.fault
FROM @listed(mails AS m)

-- name: mail_by_id
-- Return a mail, when its link ends, and whether it still has one.
SELECT mail_id, recipient, template, status, attempts, created_at, due_at, finished_at, fault, expires_at,
       sealed_link IS NOT NULL AS has_link
FROM mails
WHERE mail_id = :mail_id

-- name: drop_expired_links
-- Delete the links of finished mails that expired before a moment.
UPDATE mails SET sealed_link = NULL WHERE finished_at IS NOT NULL AND sealed_link IS NOT NULL AND expires_at < :cutoff

-- name: sweep_mails
-- Delete the mails that were finished before a moment.
DELETE FROM mails WHERE finished_at < :cutoff

-- name: sealed_mail_page
-- Return a page of the sealed links of mails, in the order of their ids.
SELECT mail_id, sealed_link FROM mails WHERE mail_id > :after AND sealed_link IS NOT NULL ORDER BY mail_id LIMIT :limit

-- name: reseal_mail
-- Replace the sealed link of a mail, if it is still the one that was read.
UPDATE mails SET sealed_link = :new WHERE mail_id = :mail_id AND sealed_link = :old
