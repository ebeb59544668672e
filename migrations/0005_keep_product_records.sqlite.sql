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
SET record = '{"id":' || json_quote(told.product_id) || ',"externalProductId":' || json_quote(told.external_product_id) || ',"name":' || json_quote(told.name)
    || ',"description":' || json_quote(told.description)
    || ',"productUrl":' || json_quote(told.product_url)
    || ',"imageUrl":' || json_quote(told.image_url)
    || ',"category":' || json_quote(told.category)
    || ',"brand":' || json_quote(told.brand)
    || ',"price":"' || CASE told.digits WHEN 0 THEN told.price_minor
       ELSE printf('%d.%0*d', told.price_minor / told.whole, told.digits, told.price_minor % told.whole) END
    || '","discountPrice":' || coalesce('"' || CASE WHEN told.discount_minor IS NULL THEN NULL WHEN told.digits = 0 THEN told.discount_minor
       ELSE printf('%d.%0*d', told.discount_minor / told.whole, told.digits, told.discount_minor % told.whole) END || '"', 'null')
    || ',"currency":' || json_quote(told.currency)
    || ',"stockStatus":' || json_quote(told.stock_status)
    || ',"commissionType":' || json_quote(told.commission_type)
    || ',"commissionValue":' || json_quote(told.commission_value)
    || ',"campaignId":' || json_quote(told.campaign_id)
    || ',"status":' || json_quote(told.status)
    || ',"createdAt":"' || strftime('%Y-%m-%dT%H:%M:%S', told.created_at / 1000, 'unixepoch')
    || printf('.%03dZ', told.created_at % 1000)
    || '","updatedAt":"' || strftime('%Y-%m-%dT%H:%M:%S', told.updated_at / 1000, 'unixepoch')
    || printf('.%03dZ', told.updated_at % 1000) || '"}'
FROM (SELECT p.*, CASE p.digits WHEN 0 THEN 1 WHEN 2 THEN 100 WHEN 3 THEN 1000 ELSE 10000 END AS whole
      FROM (SELECT *, CASE WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                                             'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0
                           WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
                           WHEN currency IN ('CLF', 'UYW') THEN 4
                           ELSE 2 END AS digits
            FROM products) AS p) AS told
WHERE products.account_id = told.account_id AND products.product_id = told.product_id;

-- A release before this one may still be writing: it gives no number, and would leave a record that tells of the past.
CREATE TRIGGER products_take_number AFTER INSERT ON products WHEN NEW.number IS NULL
BEGIN
    UPDATE products
    SET number = (SELECT coalesce(max(number), 0) + 1 FROM products WHERE account_id = NEW.account_id)
    WHERE account_id = NEW.account_id AND product_id = NEW.product_id;
END;

CREATE TRIGGER products_drop_record AFTER UPDATE OF updated_at ON products
WHEN NEW.record IS NOT NULL AND NEW.record = OLD.record
BEGIN
    UPDATE products SET record = NULL WHERE account_id = NEW.account_id AND product_id = NEW.product_id;
END;
