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
-- A correction begins by waiting. What was proposed never changes, nor what was
-- decided. The server's role cannot delete here.
CREATE FUNCTION correction_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'waiting' THEN
        RAISE EXCEPTION 'a correction begins by waiting';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER correction_begins BEFORE INSERT ON correction FOR EACH ROW EXECUTE FUNCTION correction_begins();
CREATE FUNCTION correction_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.uid, NEW.wallet, NEW.direction, NEW.into_wallet, NEW.amount, NEW.against, NEW.reason, NEW.corrects, NEW.proposed_by, NEW.proposed_name, NEW.proposed_at)
        IS DISTINCT FROM (OLD.id, OLD.uid, OLD.wallet, OLD.direction, OLD.into_wallet, OLD.amount, OLD.against, OLD.reason, OLD.corrects, OLD.proposed_by, OLD.proposed_name, OLD.proposed_at) THEN
        RAISE EXCEPTION 'what was proposed stays as it is';
    END IF;
    IF OLD.state <> 'waiting' THEN
        RAISE EXCEPTION 'what was decided stays as it is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER correction_keep BEFORE UPDATE ON correction FOR EACH ROW EXECUTE FUNCTION correction_keep();
