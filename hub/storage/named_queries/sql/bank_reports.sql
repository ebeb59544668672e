-- fragment: report_columns
-- What is read of a bank's report, with how far it is read.
r.report_id, r.kind, r.payout_id, r.file_id, r.reference, r.file_name, r.sha256, r.file_bytes, r.sent_by,
r.actor_kind, r.source, r.sent_at, p.status, p.row_count, p.done, p.counts, p.fault, p.finished_at

-- name: bank_reports
-- Return what banks sent, file by file.
-- list: by report_id text; indexed (), (payout_id)
-- filter payout_id text: r.payout_id = :payout_id
-- filter status text: p.status = :status
SELECT @fragment(report_columns)
FROM @listed(bank_reports AS r)
JOIN bank_report_progress AS p ON p.report_id = r.report_id

-- name: bank_report_found
-- Return one report of a bank.
SELECT @fragment(report_columns)
FROM bank_reports AS r
JOIN bank_report_progress AS p ON p.report_id = r.report_id
WHERE r.report_id = :report_id

-- name: unfinished_bank_reports
-- Return the reports with the same bytes that are not read to their end, oldest first.
SELECT @fragment(report_columns)
FROM bank_reports AS r
JOIN bank_report_progress AS p ON p.report_id = r.report_id
WHERE r.sha256 = :sha256 AND p.status IN ('WAITING', 'CHECKING', 'NOTING')
ORDER BY r.report_id

-- name: insert_bank_report
-- Insert a report of a bank as it was sent in.
INSERT INTO bank_reports (report_id, kind, payout_id, file_id, reference, file_name, sha256, file_bytes, sent_by,
                          actor_kind, source, sent_at)
VALUES (:report_id, :kind, CAST(:payout_id AS TEXT), CAST(:file_id AS TEXT), :reference, :file_name, :sha256,
        :file_bytes, :sent_by, :actor_kind, :source, :now)

-- name: insert_bank_report_content
-- Insert the sealed bytes of a bank's report.
INSERT INTO bank_report_contents (report_id, sealed) VALUES (:report_id, :sealed)

-- name: insert_bank_report_progress
-- Insert how far a bank's report is read: not at all, and by whom it will be, if that is known.
INSERT INTO bank_report_progress (report_id, status, row_count, done, counts, fault, owner, lease_until)
VALUES (:report_id, 'WAITING', 0, 0, '{}', '', :owner, CAST(:lease_until AS BIGINT))

-- name: bank_report_content
-- Return the sealed bytes of a bank's report.
SELECT sealed FROM bank_report_contents WHERE report_id = :report_id

-- name: next_bank_report
-- Return the report that has waited longest: a new one, or one that a stopped process left.
SELECT report_id FROM bank_report_progress
WHERE status IN ('WAITING', 'CHECKING', 'NOTING') AND (lease_until <= :now OR owner = :owner)
ORDER BY report_id
LIMIT 1

-- name: lease_bank_report
-- Take the lease of a report that no process reads, or renew it.
UPDATE bank_report_progress
SET owner = :owner, lease_until = :lease_until, status = CASE status WHEN 'WAITING' THEN 'CHECKING' ELSE status END
WHERE report_id = :report_id AND status IN ('WAITING', 'CHECKING', 'NOTING')
  AND (lease_until <= :now OR owner = :owner)

-- name: release_bank_report
-- Give the lease of a report up.
UPDATE bank_report_progress SET owner = '', lease_until = 0 WHERE report_id = :report_id AND owner = :owner

-- name: size_bank_report
-- Store that a report was checked whole, and how many lines it has.
UPDATE bank_report_progress SET status = 'NOTING', row_count = :row_count, counts = :counts, lease_until = :lease_until
WHERE report_id = :report_id AND owner = :owner AND status IN ('CHECKING', 'NOTING')

-- name: advance_bank_report
-- Store how far a report is noted, if nobody else was meanwhile.
UPDATE bank_report_progress SET done = :done, counts = :counts, lease_until = :lease_until
WHERE report_id = :report_id AND owner = :owner AND status = 'NOTING' AND done = :before

-- name: end_bank_report
-- Store what became of a report.
UPDATE bank_report_progress
SET status = :status, fault = :fault, finished_at = CAST(:now AS BIGINT), owner = '', lease_until = 0
WHERE report_id = :report_id AND owner = :owner AND status IN ('CHECKING', 'NOTING')

-- name: insert_report_verdicts
-- Insert what became of some lines of a report.
INSERT INTO bank_report_verdicts (report_id, first_row, sealed) VALUES (:report_id, :first_row, :sealed)

-- name: report_verdicts
-- Return some sealed verdicts of a report after a place, in the order in which its lines were noted.
SELECT first_row, sealed FROM bank_report_verdicts
WHERE report_id = :report_id AND first_row > :after
ORDER BY first_row
LIMIT :limit

-- name: sealed_report_page
-- Return the sealed bytes of a bank's report after an id; a page is one, since they are large.
SELECT c.report_id, r.sha256, c.sealed
FROM bank_report_contents AS c
JOIN bank_reports AS r ON r.report_id = c.report_id
WHERE c.report_id > :after
ORDER BY c.report_id
LIMIT 1

-- name: reseal_bank_report
-- Replace the sealed bytes of a bank's report if they are still those that were read.
UPDATE bank_report_contents SET sealed = :new WHERE report_id = :report_id AND sealed = :old

-- name: sealed_verdicts_page
-- Return sealed verdicts after a key.
SELECT report_id, first_row, sealed
FROM bank_report_verdicts
WHERE (report_id, first_row) > (:report_id, :first_row)
ORDER BY report_id, first_row
LIMIT :limit

-- name: reseal_verdicts
-- Replace sealed verdicts if they are still those that were read.
UPDATE bank_report_verdicts SET sealed = :new
WHERE report_id = :report_id AND first_row = :first_row AND sealed = :old
