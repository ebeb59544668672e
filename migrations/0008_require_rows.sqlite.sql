-- SQLite compares the counts without a function.
SELECT 1;
