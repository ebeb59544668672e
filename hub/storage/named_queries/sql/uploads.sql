-- name: enter_upload
-- Insert an upload.
INSERT INTO uploads (account_id, upload_id, kind, dry_run, source, status, file_name, sha256, file_bytes, read_bytes, read_lines,
                     row_count, created, updated, duplicate, failed, verdict_bytes, ignored_columns, faults, owner,
                     lease_until, created_at)
VALUES (:account_id, :upload_id, :kind, :dry_run, :source, 'QUEUED', :file_name, :sha256, :file_bytes, 0, 0,
        0, 0, 0, 0, 0, 0, '[]', '[]', '', 0, :created_at)

-- name: upload_by_id
-- Return one upload of an account.
SELECT * FROM uploads WHERE account_id = :account_id AND upload_id = :upload_id

-- name: uploads_held
-- Return how many files of an account wait for their end, and the bytes of these and of the verdicts that are kept.
SELECT COUNT(CASE WHEN status IN ('QUEUED', 'RUNNING') THEN 1 END) AS waiting,
       CAST(COALESCE(SUM(verdict_bytes + CASE WHEN status IN ('QUEUED', 'RUNNING') THEN file_bytes ELSE 0 END), 0)
            AS BIGINT) AS bytes
FROM uploads
WHERE account_id = :account_id AND source = 'spool'

-- name: uploads_of_file
-- Return the newest unfinished upload of this very file that the account's own commands began.
SELECT * FROM uploads
WHERE account_id = :account_id AND sha256 = :sha256 AND kind = :kind AND dry_run = :dry_run AND source = 'command'
  AND status IN ('QUEUED', 'RUNNING')
ORDER BY upload_id DESC
LIMIT 1

-- name: next_upload
-- Return the upload that has waited longest for a server: a new one, or one that a stopped server left; not of `busy`.
SELECT * FROM uploads
WHERE status IN ('QUEUED', 'RUNNING') AND source = 'spool' AND (lease_until <= :now OR owner = :owner)
  AND account_id NOT IN @list(:busy text)
ORDER BY lease_until, upload_id
LIMIT 1
@skip_locked

-- name: waiting_uploads
-- Return the ids of uploads with rows to apply, whoever applies them.
SELECT upload_id FROM uploads WHERE status IN ('QUEUED', 'RUNNING')

-- name: hold_upload
-- Take the lease of an upload that no process works on.
UPDATE uploads
SET status = 'RUNNING', owner = :owner, lease_until = :lease_until, started_at = COALESCE(started_at, :now)
WHERE account_id = :account_id AND upload_id = :upload_id AND status IN ('QUEUED', 'RUNNING')
  AND (lease_until <= :now OR owner = :owner)

-- name: release_upload
-- Give up the lease of an upload, so that another process can take it from a moment on.
UPDATE uploads SET owner = '', lease_until = :lease_until
WHERE account_id = :account_id AND upload_id = :upload_id AND owner = :owner AND status = 'RUNNING'

-- name: advance_upload
-- Store how far an upload has come; touches no row if another process has taken it over.
UPDATE uploads
SET read_bytes = :read_bytes, read_lines = :read_lines, row_count = :row_count, created = :created,
    updated = :updated, duplicate = :duplicate, failed = :failed, verdict_bytes = :verdict_bytes,
    ignored_columns = :ignored_columns, lease_until = :lease_until
WHERE account_id = :account_id AND upload_id = :upload_id AND owner = :owner AND status = 'RUNNING'

-- name: finish_upload
-- Finish an upload.
UPDATE uploads
SET status = :status, faults = :faults, ignored_columns = :ignored_columns, owner = '', lease_until = 0,
    finished_at = :finished_at
WHERE account_id = :account_id AND upload_id = :upload_id AND owner = :owner AND status = 'RUNNING'

-- name: uploads_before
-- Return finished or abandoned uploads before an id, which sorts by age.
SELECT account_id, upload_id FROM uploads
WHERE account_id = :account_id AND upload_id < :before
  AND (status IN ('DONE', 'REFUSED') OR source = 'command')

-- name: forget_uploads
-- Delete uploads.
DELETE FROM uploads
WHERE account_id = :account_id AND upload_id IN @list(:ids text)
