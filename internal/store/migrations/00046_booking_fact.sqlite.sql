-- What a proposal would do, as it was known when it was proposed: of a loss what
-- the line has and what is missing, of a chargeback what it takes back from whom.
-- It is a part of what is proposed and of its digest.
CREATE TABLE booking_fact (
    proposal {{bigkey}},
    body     TEXT NOT NULL
);

-- As in the ledger: these guards stand in for PostgreSQL's role.
CREATE TRIGGER booking_fact_keep_row BEFORE UPDATE ON booking_fact BEGIN SELECT RAISE(ABORT, 'booking_fact is append-only'); END;
CREATE TRIGGER booking_fact_no_delete BEFORE DELETE ON booking_fact BEGIN SELECT RAISE(ABORT, 'booking_fact is append-only'); END;
