-- Products keep what the API tells of them as the JSON it is told in, and their number in their account's catalogue:
-- a page of it is a range of numbers, and the highest is how many there are, since no product is ever deleted.

ALTER TABLE products ADD COLUMN number BIGINT;    -- from 1, in the order of creation
ALTER TABLE products ADD COLUMN record TEXT;      -- null: to be told from the other columns

UPDATE products
SET number = ranked.number
FROM (SELECT account_id, product_id, row_number() OVER (PARTITION BY account_id ORDER BY product_id) AS number
      FROM products) AS ranked
WHERE products.account_id = ranked.account_id AND products.product_id = ranked.product_id;

CREATE UNIQUE INDEX products_by_number ON products (account_id, number);

UPDATE products
SET record = '{"id":' || to_json(told.product_id)::text || ',"externalProductId":' || to_json(told.external_product_id)::text || ',"name":' || to_json(told.name)::text
    || ',"description":' || coalesce(to_json(told.description)::text, 'null')
    || ',"productUrl":' || to_json(told.product_url)::text
    || ',"imageUrl":' || coalesce(to_json(told.image_url)::text, 'null')
    || ',"category":' || coalesce(to_json(told.category)::text, 'null')
    || ',"brand":' || coalesce(to_json(told.brand)::text, 'null')
    || ',"price":"' || CASE told.digits WHEN 0 THEN told.price_minor::text
       ELSE told.price_minor / told.whole || '.' || lpad((told.price_minor % told.whole)::text, told.digits, '0') END
    || '","discountPrice":' || coalesce('"' || CASE told.digits WHEN 0 THEN told.discount_minor::text
       ELSE told.discount_minor / told.whole || '.' || lpad((told.discount_minor % told.whole)::text, told.digits, '0') END || '"', 'null')
    || ',"currency":' || to_json(told.currency)::text
    || ',"stockStatus":' || coalesce(to_json(told.stock_status)::text, 'null')
    || ',"commissionType":' || coalesce(to_json(told.commission_type)::text, 'null')
    || ',"commissionValue":' || coalesce(to_json(told.commission_value)::text, 'null')
    || ',"campaignId":' || coalesce(to_json(told.campaign_id)::text, 'null')
    || ',"status":' || to_json(told.status)::text
    || ',"createdAt":"' || to_char(to_timestamp(told.created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    || '.' || lpad((told.created_at % 1000)::text, 3, '0') || 'Z'
    || '","updatedAt":"' || to_char(to_timestamp(told.updated_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    || '.' || lpad((told.updated_at % 1000)::text, 3, '0') || 'Z' || '"}'
FROM (SELECT p.*, CASE p.digits WHEN 0 THEN 1 WHEN 2 THEN 100 WHEN 3 THEN 1000 ELSE 10000 END AS whole
      FROM (SELECT *, CASE WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                                             'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0
                           WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
                           WHEN currency IN ('CLF', 'UYW') THEN 4
                           ELSE 2 END AS digits
            FROM products) AS p) AS told
WHERE products.account_id = told.account_id AND products.product_id = told.product_id;

-- A release before this one may still be writing: it gives no number, and would leave a record that tells of the past.
CREATE FUNCTION take_product_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.number := (SELECT coalesce(max(number), 0) + 1 FROM products WHERE account_id = NEW.account_id);
    RETURN NEW;
END $$;
CREATE TRIGGER products_take_number BEFORE INSERT ON products
FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION take_product_number();

CREATE FUNCTION drop_product_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.record := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER products_drop_record BEFORE UPDATE OF updated_at ON products
FOR EACH ROW WHEN (NEW.record = OLD.record) EXECUTE FUNCTION drop_product_record();

-- What SQLite calls by this name: texts joined in the order in which they come.
CREATE FUNCTION joined_by_commas(parts text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT array_to_string(parts, ',')
$$;
CREATE AGGREGATE group_concat(text) (SFUNC = array_append, STYPE = text[], FINALFUNC = joined_by_commas);
