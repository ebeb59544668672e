-- name: platform_access_of
-- Return what a connection's platform is asked with, and its connector.
SELECT p.account_id, p.connection_id, p.sealed, p.shown, p.certain_at, p.next_at, p.checked_at, p.fault, p.fault_code,
       p.fault_at, p.hooks, p.hooks_at, p.created_at, p.last_look, c.connector, c.secrets, c.status
FROM platform_access AS p
JOIN connections AS c ON c.account_id = p.account_id AND c.connection_id = p.connection_id
WHERE p.account_id = :account_id AND p.connection_id = :connection_id

-- name: write_platform_access
-- Store credentials that the platform took; a certain point and the next time are kept.
INSERT INTO platform_access (account_id, connection_id, sealed, shown, certain_at, next_at, checked_at, hooks, created_at)
VALUES (:account_id, :connection_id, :sealed, :shown, 0, :next_at, :now, '[]', :now)
ON CONFLICT (account_id, connection_id) DO UPDATE
SET sealed = excluded.sealed, shown = excluded.shown, checked_at = excluded.checked_at, fault = NULL,
    fault_code = NULL, fault_at = NULL

-- name: write_last_look
-- Set whether a connection's platform is asked for orders before their holds end: ask, or off.
UPDATE platform_access SET last_look = :last_look WHERE account_id = :account_id AND connection_id = :connection_id

-- name: delete_platform_access
-- Delete the credentials of a connection.
DELETE FROM platform_access WHERE account_id = :account_id AND connection_id = :connection_id

-- name: reseal_platform_access
-- Replace the sealed credentials of a connection, if they are still those that were read.
UPDATE platform_access SET sealed = :new
WHERE account_id = :account_id AND connection_id = :connection_id AND sealed = :old

-- name: claim_renewal
-- Take the renewal of a connection's token for this process until a moment, unless another has it.
UPDATE platform_access SET renewing_until = :until
WHERE account_id = :account_id AND connection_id = :connection_id AND renewing_until <= :now

-- name: keep_renewed_access
-- Store renewed credentials, if those before are still there, and end the renewal.
UPDATE platform_access SET sealed = :new, renewing_until = 0
WHERE account_id = :account_id AND connection_id = :connection_id AND sealed = :old

-- name: end_renewal
-- Give back a renewal that granted nothing.
UPDATE platform_access SET renewing_until = 0 WHERE account_id = :account_id AND connection_id = :connection_id

-- name: sealed_access_page
-- Return a page of the sealed credentials, in the order of their keys.
SELECT account_id, connection_id, sealed FROM platform_access
WHERE (account_id, connection_id) > (:account_id, :connection_id)
ORDER BY account_id, connection_id
LIMIT :limit

-- name: sealed_app_page
-- Return a page of the sealed secrets of the operator's apps.
SELECT connector, sealed FROM platform_apps WHERE connector > :after ORDER BY connector LIMIT :limit

-- name: reseal_app
-- Replace the sealed secret of an app, if it is still the one that was read.
UPDATE platform_apps SET sealed = :new WHERE connector = :connector AND sealed = :old

-- name: note_access_works
-- Mark the credentials as those that the platform took.
UPDATE platform_access SET checked_at = :now, fault = NULL, fault_code = NULL, fault_at = NULL
WHERE account_id = :account_id AND connection_id = :connection_id

-- name: note_access_fault
-- Store why the platform cannot be asked; the moment of the first of several such faults is kept.
UPDATE platform_access SET fault = :fault, fault_code = :code, fault_at = COALESCE(fault_at, :now)
WHERE account_id = :account_id AND connection_id = :connection_id

-- name: move_certain_point
-- Store until when everything was taken in; it never moves back.
UPDATE platform_access SET certain_at = :certain_at
WHERE account_id = :account_id AND connection_id = :connection_id AND certain_at < :certain_at

-- name: write_hooks
-- Store the webhooks as they were last seen.
UPDATE platform_access SET hooks = :hooks, hooks_at = :now
WHERE account_id = :account_id AND connection_id = :connection_id

-- name: due_reconciliations
-- Return the connections whose nightly reconciliation is due.
SELECT p.account_id, p.connection_id, p.certain_at, p.next_at
FROM platform_access AS p
JOIN connections AS c ON c.account_id = p.account_id AND c.connection_id = p.connection_id
WHERE p.next_at <= :now AND c.status = 'ACTIVE'
ORDER BY p.next_at
LIMIT :limit

-- name: plan_reconciliation
-- Set when a connection is reconciled next, if it is still due at the time that was read.
UPDATE platform_access SET next_at = :next_at
WHERE account_id = :account_id AND connection_id = :connection_id AND next_at = :seen

-- name: read_again_soon
-- Set when a connection is read next, if it would be later.
UPDATE platform_access SET next_at = :next_at
WHERE account_id = :account_id AND connection_id = :connection_id AND next_at > :next_at

-- name: insert_read
-- Insert a reading that waits.
INSERT INTO platform_reads (account_id, connection_id, read_id, kind, status, since, place, pages, items, unknown,
                            attempts, due_at, lease_until, created_at)
VALUES (:account_id, :connection_id, :read_id, :kind, 'WAITING', :since, '{}', 0, 0, 0, 0, :now, 0, :now)

-- name: waiting_reads
-- Return a connection's readings that have not ended, the oldest first.
SELECT read_id, kind, since FROM platform_reads
WHERE account_id = :account_id AND connection_id = :connection_id AND due_at IS NOT NULL
ORDER BY read_id

-- name: due_reads
-- Return readings that are due and that no process has.
SELECT r.account_id, r.connection_id, r.read_id
FROM platform_reads AS r
JOIN connections AS c ON c.account_id = r.account_id AND c.connection_id = r.connection_id
WHERE r.due_at <= :now AND r.lease_until <= :now AND c.status = 'ACTIVE'
ORDER BY r.due_at
LIMIT :limit

-- name: claim_read
-- Take a reading for this process until a moment, unless another has it.
UPDATE platform_reads SET lease_until = :until
WHERE account_id = :account_id AND connection_id = :connection_id AND read_id = :read_id AND due_at IS NOT NULL
  AND lease_until <= :now

-- name: read_of
-- Return a reading.
SELECT account_id, connection_id, read_id, kind, status, since, place, pages, items, unknown, attempts, fault, due_at,
       lease_until, created_at, finished_at
FROM platform_reads
WHERE account_id = :account_id AND connection_id = :connection_id AND read_id = :read_id

-- name: newest_reads
-- Return the newest readings of a connection, with what became of the orders that each took in.
SELECT r.read_id, r.kind, r.status, r.since, r.pages, r.items, r.unknown, r.attempts, r.fault, r.due_at, r.lease_until,
       r.created_at, r.finished_at
FROM platform_reads AS r
WHERE r.account_id = :account_id AND r.connection_id = :connection_id
ORDER BY r.read_id DESC
LIMIT :limit

-- name: outcomes_of_read
-- Count the events of a reading by their status.
SELECT e.status, COUNT(*) AS events
FROM events AS e
WHERE e.account_id = :account_id AND e.connection_id = :connection_id AND e.event_id >= :since
  AND e.external_event_id = :read_id
GROUP BY e.status

-- name: orders_of_read
-- Return orders that a reading brought news of, up to a limit.
SELECT DISTINCT e.external_order_id
FROM events AS e
WHERE e.account_id = :account_id AND e.connection_id = :connection_id AND e.event_id >= :since
  AND e.external_event_id = :read_id AND e.status = 'PROCESSED' AND e.external_order_id IS NOT NULL
ORDER BY e.external_order_id
LIMIT :limit

-- name: note_page_read
-- Store that a page was taken in, and where the next one is; the lease is renewed.
UPDATE platform_reads
SET place = :place, pages = pages + 1, items = items + :items, unknown = unknown + :unknown, attempts = 0, fault = NULL,
    lease_until = :until
WHERE account_id = :account_id AND connection_id = :connection_id AND read_id = :read_id AND due_at IS NOT NULL

-- name: postpone_read
-- Store why a reading broke off, and when it goes on from its place.
UPDATE platform_reads SET attempts = :attempts, fault = :fault, due_at = :due_at, lease_until = 0, place = :place
WHERE account_id = :account_id AND connection_id = :connection_id AND read_id = :read_id AND due_at IS NOT NULL

-- name: finish_read
-- Finish a reading.
UPDATE platform_reads SET status = :status, fault = CAST(:fault AS TEXT), due_at = NULL, lease_until = 0, finished_at = :now
WHERE account_id = :account_id AND connection_id = :connection_id AND read_id = :read_id AND due_at IS NOT NULL

-- name: end_reads
-- Finish a connection's readings that wait, because its credentials were deleted.
UPDATE platform_reads SET status = 'FAILED', fault = :fault, due_at = NULL, lease_until = 0, finished_at = :now
WHERE account_id = :account_id AND connection_id = :connection_id AND due_at IS NOT NULL

-- name: want_fetches
-- Insert orders and products that deliveries named; one that waits already waits for all of them.
INSERT INTO platform_fetches (account_id, connection_id, kind, item_id, wanted, attempts, due_at, lease_until, created_at)
SELECT account_id, connection_id, kind, item_id, wanted, 0, due_at, 0, due_at
FROM @rows(:fetches; account_id text, connection_id text, kind text, item_id text, wanted bigint, due_at bigint)
WHERE true
ON CONFLICT (account_id, connection_id, kind, item_id) DO UPDATE
SET wanted = platform_fetches.wanted + excluded.wanted, due_at = excluded.due_at, attempts = 0

-- name: due_fetches
-- Return what is to be fetched and no process has, the oldest of each connection first.
SELECT f.account_id, f.connection_id, f.kind, f.item_id, f.wanted, f.attempts, f.due_at, f.created_at
FROM (SELECT w.account_id, w.connection_id, w.kind, w.item_id, w.wanted, w.attempts, w.due_at, w.created_at,
             ROW_NUMBER() OVER (PARTITION BY w.account_id, w.connection_id ORDER BY w.due_at, w.kind, w.item_id) AS place
      FROM platform_fetches AS w
      WHERE w.due_at <= :now AND w.lease_until <= :now) AS f
JOIN connections AS c ON c.account_id = f.account_id AND c.connection_id = f.connection_id
WHERE f.place <= :each AND c.status = 'ACTIVE'
ORDER BY f.place, f.due_at
LIMIT :limit

-- name: claim_fetch
-- Take a fetch for this process until a moment, unless another has it.
UPDATE platform_fetches SET lease_until = :until
WHERE account_id = :account_id AND connection_id = :connection_id AND kind = :kind AND item_id = :item_id
  AND due_at IS NOT NULL AND lease_until <= :now

-- name: finish_fetch
-- Delete a fetch whose item was taken in, unless a delivery named it again meanwhile.
DELETE FROM platform_fetches
WHERE account_id = :account_id AND connection_id = :connection_id AND kind = :kind AND item_id = :item_id
  AND wanted = :wanted

-- name: repeat_fetch
-- Give back a fetch that a delivery named again meanwhile.
UPDATE platform_fetches SET lease_until = 0, wanted = wanted - :wanted
WHERE account_id = :account_id AND connection_id = :connection_id AND kind = :kind AND item_id = :item_id

-- name: postpone_fetch
-- Store why something could not be fetched, and when it is tried again; null: it is given up.
UPDATE platform_fetches
SET attempts = :attempts, fault = :fault, lease_until = 0,
    due_at = CASE WHEN wanted = :wanted THEN CAST(:due_at AS BIGINT) ELSE due_at END
WHERE account_id = :account_id AND connection_id = :connection_id AND kind = :kind AND item_id = :item_id

-- name: fetches_of_connection
-- Return what waits to be fetched for a connection, or was given up, the oldest first.
SELECT kind, item_id, wanted, attempts, fault, due_at, created_at
FROM platform_fetches
WHERE account_id = :account_id AND connection_id = :connection_id
ORDER BY created_at, kind, item_id
LIMIT :limit

-- name: delete_fetches
-- Delete what waits to be fetched for a connection, or was given up.
DELETE FROM platform_fetches WHERE account_id = :account_id AND connection_id = :connection_id

-- name: connections_with_access
-- Return the connections of a merchant whose platforms can be asked, or from which something is still to be fetched.
SELECT p.account_id, p.connection_id
FROM accounts AS a
JOIN platform_access AS p ON p.account_id = a.account_id
WHERE a.merchant_id = :merchant_id
UNION
SELECT f.account_id, f.connection_id
FROM accounts AS a
JOIN platform_fetches AS f ON f.account_id = a.account_id
WHERE a.merchant_id = :merchant_id

-- name: revive_fetches
-- Make what was given up due again.
UPDATE platform_fetches SET due_at = :now, attempts = 0
WHERE account_id = :account_id AND connection_id = :connection_id AND (due_at IS NULL OR due_at > :now)

-- name: clear_read_leases
-- Give back every reading that a process that ended had.
UPDATE platform_reads SET lease_until = 0 WHERE lease_until > 0

-- name: clear_fetch_leases
-- Give back every fetch that a process that ended had.
UPDATE platform_fetches SET lease_until = 0 WHERE lease_until > 0

-- name: write_platform_app
-- Store the operator's app on a platform.
INSERT INTO platform_apps (connector, client_id, sealed, changed_at) VALUES (:connector, :client_id, :sealed, :now)
ON CONFLICT (connector) DO UPDATE
SET client_id = excluded.client_id, sealed = excluded.sealed, changed_at = excluded.changed_at

-- name: delete_platform_app
-- Delete the operator's app on a platform.
DELETE FROM platform_apps WHERE connector = :connector

-- name: platform_app_of
-- Return the operator's app on a platform.
SELECT connector, client_id, sealed, changed_at FROM platform_apps WHERE connector = :connector

-- name: platform_apps_listed
-- Return the operator's apps.
SELECT connector, client_id, changed_at FROM platform_apps ORDER BY connector

-- name: insert_consent
-- Store a consent that begins.
INSERT INTO platform_consents (state_digest, connection_id, user_id, values_given, created_at, expires_at)
VALUES (:state_digest, :connection_id, :user_id, :values_given, :now, :expires_at)

-- name: note_consent_fault
-- Store why the keys that a store posted did not work, or that the last ones did, with null.
UPDATE connections SET consent_fault = CAST(:fault AS TEXT), consent_fault_at = CAST(:at AS BIGINT)
WHERE account_id = :account_id AND connection_id = :connection_id

-- name: spend_consent
-- Delete a consent that has not ended, and return it: it counts once.
DELETE FROM platform_consents WHERE state_digest = :state_digest AND expires_at > :now
RETURNING connection_id, user_id, values_given

-- name: sweep_consents
-- Delete consents that ended.
DELETE FROM platform_consents WHERE expires_at <= :cutoff

-- name: merchant_of_connection
-- Return the merchant that a connection belongs to, with its mail address.
SELECT m.merchant_id, m.name, m.email, a.mode, c.title, c.connector
FROM connections AS c
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE c.account_id = :account_id AND c.connection_id = :connection_id
