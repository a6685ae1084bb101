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
-- A proposal begins by waiting. What was proposed never changes, nor what was
-- decided. The server's role cannot delete here.
CREATE FUNCTION booking_proposal_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'waiting' THEN
        RAISE EXCEPTION 'a proposal begins by waiting';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER booking_proposal_begins BEFORE INSERT ON booking_proposal FOR EACH ROW EXECUTE FUNCTION booking_proposal_begins();
CREATE FUNCTION booking_proposal_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.line, NEW.sale, NEW.amount, NEW.reference, NEW.evidence, NEW.happened_at, NEW.day, NEW.proposed_by, NEW.proposed_name, NEW.proposed_at)
        IS DISTINCT FROM (OLD.id, OLD.kind, OLD.line, OLD.sale, OLD.amount, OLD.reference, OLD.evidence, OLD.happened_at, OLD.day, OLD.proposed_by, OLD.proposed_name, OLD.proposed_at) THEN
        RAISE EXCEPTION 'what was proposed stays as it is';
    END IF;
    IF OLD.state <> 'waiting' THEN
        RAISE EXCEPTION 'what was decided stays as it is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER booking_proposal_keep BEFORE UPDATE ON booking_proposal FOR EACH ROW EXECUTE FUNCTION booking_proposal_keep();
