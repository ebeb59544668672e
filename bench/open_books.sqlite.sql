-- sha256_hex is a function of the connection that fills. A chain is followed entry by entry, by its key.
WITH RECURSIVE chained (account_id, entry_no, hash) AS (
    SELECT DISTINCT account_id, 0, '' FROM ledger_entries
    UNION ALL
    SELECT e.account_id, e.entry_no, sha256_hex(
        p.hash || char(0) || e.account_id || char(0) || e.entry_no || char(0) || e.posted_at || char(0) || e.kind
        || char(0) || e.debit || char(0) || e.credit || char(0) || e.amount_minor || char(0) || e.currency || char(0)
        || e.affiliate_id || char(0) || e.commission_id || char(0) || char(0) || e.external_order_id || char(0)
        || e.cause)
    FROM chained AS p
    CROSS JOIN ledger_entries AS e
    WHERE e.account_id = p.account_id AND e.entry_no = p.entry_no + 1
)
UPDATE ledger_entries SET hash = chained.hash FROM chained
WHERE ledger_entries.account_id = chained.account_id AND ledger_entries.entry_no = chained.entry_no;

INSERT INTO ledger_heads (account_id, entries, hash)
SELECT e.account_id, e.entry_no, e.hash FROM ledger_entries AS e
WHERE e.entry_no = (SELECT MAX(l.entry_no) FROM ledger_entries AS l WHERE l.account_id = e.account_id);
