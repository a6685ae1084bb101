-- What operators want corrected in a member's wallet, and what became of that. It
-- takes two of them, unless alone says why one was enough. The transfer that does
-- it has the digest of what was proposed in its id; against says what changes with
-- the wallet. reason is for the member, answer what the second operator said.
CREATE TABLE correction (
    id            {{bigkey}},
    uid           BIGINT NOT NULL,
    wallet        TEXT   NOT NULL,
    direction     TEXT   NOT NULL CHECK (direction IN ('credit', 'debit', 'move')),
    into_wallet   TEXT   NOT NULL,
    amount        BIGINT NOT NULL CHECK (amount > 0),
    against       TEXT   NOT NULL CHECK (against IN ('company', 'cash', 'wallet')),
    reason        TEXT   NOT NULL CHECK (reason <> ''),
    corrects      TEXT   NOT NULL,
    proposed_by   BIGINT NOT NULL CHECK (proposed_by > 0),
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn')),
    decided_by    BIGINT NOT NULL,
    decided_name  TEXT   NOT NULL,
    decided_at    BIGINT NOT NULL,
    answer        TEXT   NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo')),
    CHECK ((direction = 'move') = (into_wallet <> '') AND (direction = 'move') = (against = 'wallet')),
    CHECK (state <> 'approved' OR alone <> '' OR (decided_by > 0 AND decided_by <> proposed_by)),
    CHECK (state <> 'refused' OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by)
);
CREATE INDEX correction_waiting ON correction (id) WHERE state = 'waiting';
CREATE INDEX correction_member ON correction (uid, id);
CREATE INDEX correction_decided ON correction (decided_at, id) WHERE state <> 'waiting';
CREATE INDEX correction_corrects ON correction (corrects) WHERE corrects <> '';
CREATE TRIGGER correction_begins BEFORE INSERT ON correction
WHEN NEW.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'a correction begins by waiting'); END;
-- What was proposed never changes, nor what was decided, and nothing is deleted.
CREATE TRIGGER correction_no_delete BEFORE DELETE ON correction BEGIN SELECT RAISE(ABORT, 'correction is never deleted'); END;
CREATE TRIGGER correction_keep_words BEFORE UPDATE ON correction
WHEN NEW.id <> OLD.id OR NEW.uid <> OLD.uid OR NEW.wallet <> OLD.wallet OR NEW.direction <> OLD.direction OR NEW.into_wallet <> OLD.into_wallet
    OR NEW.amount <> OLD.amount OR NEW.against <> OLD.against OR NEW.reason <> OLD.reason OR NEW.corrects <> OLD.corrects
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER correction_keep_decision BEFORE UPDATE ON correction
WHEN OLD.state <> 'waiting' BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;
