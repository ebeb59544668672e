-- SQLite has this aggregate by the same name: texts joined by commas, in the order of the rows.
CREATE FUNCTION joined_by_commas(parts text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT array_to_string(parts, ',')
$$;
CREATE AGGREGATE group_concat(text) (SFUNC = array_append, STYPE = text[], FINALFUNC = joined_by_commas);

-- Fails, and thereby undoes its statement, unless each part of the statement touched as many rows as it should have.
-- The driver reads HB001 as "some of the rows existed before"; on SQLite it compares the counts itself.
CREATE FUNCTION require_rows(touched BIGINT[], expected BIGINT[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF touched <> expected THEN
        RAISE EXCEPTION 'Some of the rows were there before.' USING ERRCODE = 'HB001';
    END IF;
END
$$;
