-- name: append_act
-- Append an act to the trail.
INSERT INTO trail (trail_id, acted_at, actor_kind, actor_id, act, subject_kind, subject_id, before_json, after_json,
                   source, address)
VALUES (:trail_id, :now, :actor_kind, :actor_id, :act, :subject_kind, :subject_id, :before_json, :after_json,
        :source, :address)

-- name: acts_listed
-- Return acts, newest first, those before an id and since a time that match every other filter that is not null.
SELECT trail_id, acted_at, actor_kind, actor_id, act, subject_kind, subject_id, before_json, after_json, source, address
FROM trail
WHERE trail_id < :before
  AND acted_at >= :since
  AND (CAST(:subject AS TEXT) IS NULL OR subject_id = :subject)
  AND (CAST(:actor AS TEXT) IS NULL OR actor_id = :actor)
  AND (CAST(:act AS TEXT) IS NULL OR act = :act)
ORDER BY trail_id DESC
LIMIT :limit

-- name: act_on
-- Return what was acted on, if the trail has it.
SELECT subject_id FROM trail WHERE subject_id = :subject LIMIT 1
