-- What an operator wants booked, and what became of that. What is approved is a
-- booking, by the id in event. It takes two operators, unless alone says why one
-- was enough; proposed_by 0 is the command line. day is whose close is to do it.
CREATE TABLE booking_proposal (
    id            {{bigkey}},
    kind          TEXT   NOT NULL CHECK (kind IN ('pnl', 'settle', 'chargeback')),
    line          TEXT   NOT NULL,
    sale          TEXT   NOT NULL,
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
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state <> 'refused' OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by),
    CHECK ((state = 'approved') = (event <> ''))
);
CREATE INDEX booking_proposal_waiting ON booking_proposal (day, id) WHERE state = 'waiting';
CREATE UNIQUE INDEX booking_proposal_event ON booking_proposal (event) WHERE event <> '';
CREATE TRIGGER booking_proposal_begins BEFORE INSERT ON booking_proposal
WHEN NEW.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'a proposal begins by waiting'); END;
-- What was proposed never changes, nor what was decided, and nothing is deleted.
CREATE TRIGGER booking_proposal_no_delete BEFORE DELETE ON booking_proposal BEGIN SELECT RAISE(ABORT, 'booking_proposal is never deleted'); END;
CREATE TRIGGER booking_proposal_keep_words BEFORE UPDATE ON booking_proposal
WHEN NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.line <> OLD.line OR NEW.sale <> OLD.sale OR NEW.amount <> OLD.amount OR NEW.reference <> OLD.reference
    OR NEW.evidence <> OLD.evidence OR NEW.happened_at <> OLD.happened_at OR NEW.day <> OLD.day
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER booking_proposal_keep_decision BEFORE UPDATE ON booking_proposal
WHEN OLD.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;
