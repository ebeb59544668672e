-- Fails, and undoes its statement with that, unless each part of it touched as many rows as it was given.
CREATE FUNCTION require_rows(touched BIGINT[], given BIGINT[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF touched <> given THEN
        RAISE EXCEPTION 'Some of the rows were there before.' USING ERRCODE = 'HB001';
    END IF;
END
$$;
