-- What 0006 did for the tables of the ledger, for products: every row that an import or upsert writes was checked against
-- a list that SQLite built for it. No row is touched, and a release before this one may go on writing.

CREATE INDEX leases_by_owner ON leases (owner);   -- and gone again: so every other connection sees that the schema changed
DROP INDEX leases_by_owner;

PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(sql,
    'status IN (''ACTIVE'', ''INACTIVE'', ''OUT_OF_STOCK'', ''ARCHIVED'')',
    'status = ''ACTIVE'' OR status = ''OUT_OF_STOCK'' OR status = ''INACTIVE'' OR status = ''ARCHIVED''')
WHERE type = 'table' AND name = 'products';

PRAGMA writable_schema = RESET;
