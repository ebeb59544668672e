-- name: products_page
-- Return one page of an account's catalogue, newest first, as one text; how many products are on it, and have a record.
SELECT (SELECT COALESCE(MAX(number), 0) FROM products WHERE account_id = :account_id) AS total,
       COUNT(*) AS listed, COUNT(recorded) AS recorded, group_concat(record) AS records
FROM (SELECT record, CASE WHEN record IS NOT NULL THEN 1 END AS recorded
      FROM products
      WHERE account_id = :account_id
        AND number <= (SELECT MAX(number) FROM products WHERE account_id = :account_id) - :offset
      ORDER BY number DESC
      LIMIT :limit) AS page

-- name: products_found
-- One page of an account's products that match, newest first.
SELECT *
FROM products
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR status = CAST(:status AS TEXT))
  AND (CAST(:category AS TEXT) IS NULL OR category = CAST(:category AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR search_text LIKE CAST(:pattern AS TEXT) ESCAPE '!')
ORDER BY number DESC
LIMIT :limit OFFSET :offset

-- name: products_count
-- How many products of an account match.
SELECT COUNT(*) AS total
FROM products
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR status = CAST(:status AS TEXT))
  AND (CAST(:category AS TEXT) IS NULL OR category = CAST(:category AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR search_text LIKE CAST(:pattern AS TEXT) ESCAPE '!')

-- name: products_total
-- How many products an account has: as many as the highest number, since none is ever deleted.
SELECT COALESCE(MAX(number), 0) AS total FROM products WHERE account_id = :account_id

-- name: product_named
-- The product with this id of ours or of the merchant's; ours wins.
SELECT *
FROM products
WHERE account_id = :account_id AND (product_id = :reference OR external_product_id = :reference)
ORDER BY CASE WHEN product_id = :reference THEN 0 ELSE 1 END
LIMIT 1

-- name: products_named
-- Which products these references name, each an id of ours or of the merchant's.
SELECT product_id, external_product_id
FROM products
WHERE account_id = :account_id
  AND (product_id IN @list(:references text) OR external_product_id IN @list(:references text))

-- name: archive_products
-- Archive products by our ids; the JSON of each is made from its columns from now on.
UPDATE products
SET status = 'ARCHIVED', updated_at = :now, record = NULL
WHERE account_id = :account_id AND product_id IN @list(:ids text) AND status <> 'ARCHIVED'

-- name: write_products
-- Inserts products, or replaces what is stored under the same merchant's id; what webhooks noted of their age stays.
INSERT INTO products (account_id, product_id, external_product_id, name, description, product_url, image_url, category,
                      brand, currency, commission_type, commission_value, campaign_id, price_minor, discount_minor,
                      stock_status, status, created_at, updated_at, number, search_text, record)
SELECT account_id, product_id, external_product_id, name, description, product_url, image_url, category, brand,
       currency, commission_type, commission_value, campaign_id, price_minor, discount_minor, stock_status, status,
       created_at, updated_at, number, search_text, record
FROM @rows(:products; account_id text, product_id text, external_product_id text, name text, description text,
           product_url text, image_url text, category text, brand text, currency text, commission_type text,
           commission_value text, campaign_id text, price_minor bigint, discount_minor bigint, stock_status text,
           status text, created_at bigint, updated_at bigint, number bigint, search_text text, record text)
WHERE true
ON CONFLICT (account_id, external_product_id) DO UPDATE
SET name = excluded.name, description = excluded.description, product_url = excluded.product_url,
    image_url = excluded.image_url, category = excluded.category, brand = excluded.brand,
    price_minor = excluded.price_minor, discount_minor = excluded.discount_minor, currency = excluded.currency,
    stock_status = excluded.stock_status, commission_type = excluded.commission_type,
    commission_value = excluded.commission_value, campaign_id = excluded.campaign_id, status = excluded.status,
    updated_at = excluded.updated_at, search_text = excluded.search_text, record = excluded.record

-- name: products_of_account
-- These products of an account, by the merchant's ids: the columns of `hub.catalog.product.Product`, in its order.
SELECT account_id, product_id, external_product_id, name, description, product_url, image_url, category, brand,
       currency, commission_type, commission_value, campaign_id, price_minor, discount_minor, stock_status, status,
       created_at, updated_at, number
FROM products
WHERE account_id = :account_id AND external_product_id IN @list(:external_ids text)

-- name: write_offers
-- Replaces prices, stock and status of stored products.
UPDATE products
SET price_minor = k.price_minor, discount_minor = k.discount_minor, stock_status = k.stock_status, status = k.status,
    updated_at = k.updated_at, record = k.record
FROM @rows(:products; account_id text, product_id text, price_minor bigint, discount_minor bigint, stock_status text,
           status text, updated_at bigint, record text) AS k
WHERE products.account_id = k.account_id AND products.product_id = k.product_id

-- name: campaigns_known
-- Which of these ids are campaigns of the account.
SELECT campaign_id FROM campaigns WHERE account_id = :account_id AND campaign_id IN @list(:ids text)

-- name: campaigns_page
-- One page of an account's campaigns, newest first; the status asked for is the effective one.
SELECT *
FROM campaigns
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR CAST(:status AS TEXT) =
       CASE WHEN status <> 'ARCHIVED' AND end_at IS NOT NULL AND end_at <= :now THEN 'EXPIRED' ELSE status END)
ORDER BY campaign_id DESC
LIMIT :limit OFFSET :offset

-- name: campaigns_count
-- How many campaigns of an account match.
SELECT COUNT(*) AS total
FROM campaigns
WHERE account_id = :account_id
  AND (CAST(:status AS TEXT) IS NULL OR CAST(:status AS TEXT) =
       CASE WHEN status <> 'ARCHIVED' AND end_at IS NOT NULL AND end_at <= :now THEN 'EXPIRED' ELSE status END)

-- name: campaign_of_account
-- One campaign of an account.
SELECT * FROM campaigns WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: insert_campaign
-- Files a campaign.
INSERT INTO campaigns (account_id, campaign_id, campaign_code, title, description, start_at, end_at,
                       default_commission_type, default_commission_value, cookie_duration_days, allowed_traffic_sources,
                       terms_and_conditions, approval_required, approval_status, status, created_at, updated_at)
VALUES (:account_id, :campaign_id, :campaign_code, :title, :description, :start_at, :end_at,
        :default_commission_type, :default_commission_value, :cookie_duration_days, :allowed_traffic_sources,
        :terms_and_conditions, :approval_required, :approval_status, :status, :created_at, :updated_at)

-- name: update_campaign
-- Replaces what may change of a campaign.
UPDATE campaigns
SET title = :title, description = :description, start_at = :start_at, end_at = :end_at,
    default_commission_type = :default_commission_type, default_commission_value = :default_commission_value,
    cookie_duration_days = :cookie_duration_days, allowed_traffic_sources = :allowed_traffic_sources,
    terms_and_conditions = :terms_and_conditions, approval_required = :approval_required,
    approval_status = :approval_status, status = :status, updated_at = :updated_at
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: hold_campaign
-- Locks a campaign until the transaction ends, by a change that changes nothing.
UPDATE campaigns SET updated_at = updated_at WHERE account_id = :account_id AND campaign_id = :campaign_id
