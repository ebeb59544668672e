-- name: mails_of
-- What was written to an address, oldest first.
SELECT template, parameters FROM mails WHERE recipient = :recipient ORDER BY mail_id
