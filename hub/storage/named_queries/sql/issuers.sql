-- fragment: issuer_with_last
-- An issuer with how many invoices it has issued.
i.issuer_id, i.name, i.address, i.country, i.vat_number, i.vat_rate, i.pay_to, i.iban, i.set_by, i.set_at,
COALESCE((SELECT MAX(n.series_no) FROM merchant_invoices AS n WHERE n.issuer_id = i.issuer_id), 0) AS issued

-- name: issuers
-- Return the legal entities that bill merchants beside that of the settings.
SELECT @fragment(issuer_with_last) FROM issuers AS i ORDER BY i.issuer_id

-- name: issuer_found
-- Return one of them.
SELECT @fragment(issuer_with_last) FROM issuers AS i WHERE i.issuer_id = :issuer_id

-- name: put_issuer
-- Store one of them.
INSERT INTO issuers (issuer_id, name, address, country, vat_number, vat_rate, pay_to, iban, set_by, set_at)
VALUES (:issuer_id, :name, :address, :country, :vat_number, :vat_rate, :pay_to, :iban, :set_by, :now)
ON CONFLICT (issuer_id) DO UPDATE
SET name = excluded.name, address = excluded.address, country = excluded.country, vat_number = excluded.vat_number,
    vat_rate = excluded.vat_rate, pay_to = excluded.pay_to, iban = excluded.iban, set_by = excluded.set_by,
    set_at = excluded.set_at

-- name: bill_by
-- Store which of them bills a merchant.
INSERT INTO merchant_issuers (merchant_id, issuer_id, set_by, set_at)
VALUES (:merchant_id, :issuer_id, :set_by, :now)
ON CONFLICT (merchant_id) DO UPDATE
SET issuer_id = excluded.issuer_id, set_by = excluded.set_by, set_at = excluded.set_at

-- name: issuer_of_merchant
-- Return which of them bills a merchant; none if that of the settings does.
SELECT i.issuer_id, i.name, i.address, i.country, i.vat_number, i.vat_rate, i.pay_to
FROM merchant_issuers AS m
JOIN issuers AS i ON i.issuer_id = m.issuer_id
WHERE m.merchant_id = :merchant_id

-- name: self_bill_to
-- Store to which of them an affiliate's self-billed invoices are.
INSERT INTO affiliate_issuers (affiliate_id, issuer_id, set_by, set_at)
VALUES (:affiliate_id, :issuer_id, :set_by, :now)
ON CONFLICT (affiliate_id) DO UPDATE
SET issuer_id = excluded.issuer_id, set_by = excluded.set_by, set_at = excluded.set_at

-- name: issuer_of_affiliate
-- Return to which of them an affiliate's self-billed invoices are; none if they are to that of the settings.
SELECT i.issuer_id, i.name, i.address, i.country, i.vat_number, i.vat_rate, i.pay_to
FROM affiliate_issuers AS m
JOIN issuers AS i ON i.issuer_id = m.issuer_id
WHERE m.affiliate_id = :affiliate_id
