-- Recalling cash for a claim, and taking back a booking that two operators had
-- approved, take two operators as well: they are proposed and approved as bookings
-- are, and done at once. cancels is what the booking that is taken back is.
CREATE TABLE booking_proposal_new (
    id            {{bigkey}},
    kind          TEXT   NOT NULL CHECK (kind IN ('pnl', 'settle', 'chargeback', 'recall', 'cancel')),
    line          TEXT   NOT NULL,
    sale          TEXT   NOT NULL,
    claim         TEXT   NOT NULL,
    booking       TEXT   NOT NULL,
    cancels       TEXT   NOT NULL,
    amount        BIGINT NOT NULL,
    reference     TEXT   NOT NULL,
    evidence      TEXT   NOT NULL,
    happened_at   BIGINT NOT NULL,
    day           BIGINT NOT NULL,
    proposed_by   BIGINT NOT NULL,
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    decided_by    BIGINT NOT NULL,
    decided_name  TEXT   NOT NULL,
    decided_at    BIGINT NOT NULL,
    reason        TEXT   NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'command line')),
    event         TEXT   NOT NULL,
    CHECK ((kind = 'recall') = (claim <> '')),
    CHECK ((kind = 'cancel') = (booking <> '')),
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state <> 'refused' OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by),
    CHECK ((state = 'approved') = (event <> ''))
);
INSERT INTO booking_proposal_new (id, kind, line, sale, claim, booking, cancels, amount, reference, evidence, happened_at, day, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at, reason, alone, event)
SELECT id, kind, line, sale, '', '', '', amount, reference, evidence, happened_at, day, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at, reason, alone, event FROM booking_proposal;
DROP TABLE booking_proposal;
ALTER TABLE booking_proposal_new RENAME TO booking_proposal;
CREATE INDEX booking_proposal_waiting ON booking_proposal (day, id) WHERE state = 'waiting';
CREATE UNIQUE INDEX booking_proposal_event ON booking_proposal (event) WHERE event <> '';
CREATE TRIGGER booking_proposal_begins BEFORE INSERT ON booking_proposal
WHEN NEW.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'a proposal begins by waiting'); END;
-- What was proposed never changes, nor what was decided, and nothing is deleted.
CREATE TRIGGER booking_proposal_no_delete BEFORE DELETE ON booking_proposal BEGIN SELECT RAISE(ABORT, 'booking_proposal is never deleted'); END;
CREATE TRIGGER booking_proposal_keep_words BEFORE UPDATE ON booking_proposal
WHEN NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.line <> OLD.line OR NEW.sale <> OLD.sale
    OR NEW.claim <> OLD.claim OR NEW.booking <> OLD.booking OR NEW.cancels <> OLD.cancels OR NEW.amount <> OLD.amount OR NEW.reference <> OLD.reference
    OR NEW.evidence <> OLD.evidence OR NEW.happened_at <> OLD.happened_at OR NEW.day <> OLD.day
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER booking_proposal_keep_decision BEFORE UPDATE ON booking_proposal
WHEN OLD.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;
