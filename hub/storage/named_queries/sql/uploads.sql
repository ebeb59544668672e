-- name: enter_upload
-- Enters a file that is to be judged or applied.
INSERT INTO uploads (account_id, upload_id, kind, dry_run, source, status, sha256, file_bytes, read_bytes, read_lines,
                     row_count, created, updated, duplicate, failed, verdict_bytes, ignored_columns, faults, owner,
                     lease_until, created_at)
VALUES (:account_id, :upload_id, :kind, :dry_run, :source, 'QUEUED', :sha256, :file_bytes, 0, 0,
        0, 0, 0, 0, 0, 0, '[]', '[]', '', 0, :created_at)

-- name: upload_by_id
-- One upload of an account.
SELECT * FROM uploads WHERE account_id = :account_id AND upload_id = :upload_id

-- name: uploads_of_file
-- What an account's own commands began with this very file and did not end.
SELECT * FROM uploads
WHERE account_id = :account_id AND sha256 = :sha256 AND kind = :kind AND dry_run = :dry_run AND source = 'command'
  AND status IN ('QUEUED', 'RUNNING')
ORDER BY upload_id DESC
LIMIT 1

-- name: next_upload
-- The upload that has waited longest for a server: new, or left by one that stopped.
SELECT * FROM uploads
WHERE status IN ('QUEUED', 'RUNNING') AND source = 'spool' AND (lease_until <= :now OR owner = :owner)
ORDER BY lease_until, upload_id
LIMIT 1
@skip_locked

-- name: hold_upload
-- Takes an upload that nobody works on.
UPDATE uploads
SET status = 'RUNNING', owner = :owner, lease_until = :lease_until, started_at = COALESCE(started_at, :now)
WHERE account_id = :account_id AND upload_id = :upload_id AND status IN ('QUEUED', 'RUNNING')
  AND (lease_until <= :now OR owner = :owner)

-- name: release_upload
-- Leaves an upload to others, from a moment on.
UPDATE uploads SET owner = '', lease_until = :lease_until
WHERE account_id = :account_id AND upload_id = :upload_id AND owner = :owner AND status = 'RUNNING'

-- name: advance_upload
-- Notes how far an upload has come; no row is touched where another process has taken it over.
UPDATE uploads
SET read_bytes = :read_bytes, read_lines = :read_lines, row_count = :row_count, created = :created,
    updated = :updated, duplicate = :duplicate, failed = :failed, verdict_bytes = :verdict_bytes,
    ignored_columns = :ignored_columns, lease_until = :lease_until
WHERE account_id = :account_id AND upload_id = :upload_id AND owner = :owner AND status = 'RUNNING'

-- name: finish_upload
-- Ends an upload.
UPDATE uploads
SET status = :status, faults = :faults, ignored_columns = :ignored_columns, owner = '', lease_until = 0,
    finished_at = :finished_at
WHERE account_id = :account_id AND upload_id = :upload_id AND owner = :owner AND status = 'RUNNING'

-- name: uploads_before
-- Ended or abandoned uploads that have been kept long enough, by their ids, which sort by age.
SELECT account_id, upload_id FROM uploads
WHERE account_id = :account_id AND upload_id < :before
  AND (status IN ('DONE', 'REFUSED') OR source = 'command')

-- name: forget_uploads
-- Drops uploads.
DELETE FROM uploads
WHERE account_id = :account_id AND upload_id IN @list(:ids text)

-- name: uploads_of_account
-- The latest uploads of an account, newest first.
SELECT * FROM uploads
WHERE account_id = :account_id
ORDER BY upload_id DESC
LIMIT :limit
