-- What a proposal would do, as it was known when it was proposed: of a loss what
-- the line has and what is missing, of a chargeback what it takes back from whom.
-- It is a part of what is proposed and of its digest.
CREATE TABLE booking_fact (
    proposal {{bigkey}},
    body     TEXT NOT NULL
);
COMMENT ON TABLE booking_fact IS 'append-only';
