-- PostgreSQL's texts hold no NUL, so the bytes are joined.
DO $$
DECLARE
    entry RECORD;
    account TEXT := NULL;
    last TEXT := '';
    nul CONSTANT BYTEA := '\x00';
BEGIN
    FOR entry IN SELECT * FROM ledger_entries ORDER BY account_id, entry_no LOOP
        IF account IS DISTINCT FROM entry.account_id THEN
            account := entry.account_id;
            last := '';
        END IF;
        last := encode(sha256(
            convert_to(last, 'UTF8') || nul || convert_to(account, 'UTF8') || nul
            || convert_to(entry.entry_no::text, 'UTF8') || nul || convert_to(entry.posted_at::text, 'UTF8') || nul
            || convert_to(entry.kind, 'UTF8') || nul || convert_to(entry.debit, 'UTF8') || nul
            || convert_to(entry.credit, 'UTF8') || nul || convert_to(entry.amount_minor::text, 'UTF8') || nul
            || convert_to(entry.currency, 'UTF8') || nul || convert_to(entry.affiliate_id, 'UTF8') || nul
            || convert_to(entry.commission_id, 'UTF8') || nul || nul
            || convert_to(entry.external_order_id, 'UTF8') || nul || convert_to(entry.cause, 'UTF8')
        ), 'hex');
        UPDATE ledger_entries SET hash = last WHERE account_id = account AND entry_no = entry.entry_no;
    END LOOP;
END
$$;

INSERT INTO ledger_heads (account_id, entries, hash)
SELECT DISTINCT ON (account_id) account_id, entry_no, hash FROM ledger_entries ORDER BY account_id, entry_no DESC;
