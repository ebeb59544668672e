-- name: insert_vat_check
-- Store what VIES said of a VAT number.
INSERT INTO vat_checks (check_id, party_id, subject, outcome, consultation, fault, asked_by, asked_at)
VALUES (:check_id, :party_id, :subject, :outcome, :consultation, :fault, :asked_by, :now)

-- name: latest_vat_checks
-- Return the last question about what is checked of a party, and the last one that had an answer.
SELECT c.outcome, c.consultation, c.fault, c.asked_at, c.asked_by
FROM vat_checks AS c
WHERE c.party_id = :party_id AND c.subject = :subject
  AND c.check_id IN (
      (SELECT MAX(l.check_id) FROM vat_checks AS l WHERE l.party_id = :party_id AND l.subject = :subject),
      (SELECT MAX(a.check_id) FROM vat_checks AS a
       WHERE a.party_id = :party_id AND a.subject = :subject AND a.outcome <> 'unreached'))
ORDER BY c.check_id DESC

-- name: merchants_after
-- Return some merchants that are billed, by id.
SELECT merchant_id FROM merchants WHERE merchant_id > :after AND status = 'APPROVED' ORDER BY merchant_id LIMIT :limit

-- name: self_billed_after
-- Return some affiliates that are businesses and agreed to self-billing, by id.
SELECT affiliate_id FROM payees WHERE affiliate_id > :after AND self_billed = 1 ORDER BY affiliate_id LIMIT :limit
