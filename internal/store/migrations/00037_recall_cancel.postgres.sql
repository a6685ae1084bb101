-- Recalling cash for a claim, and taking back a booking that two operators had
-- approved, take two operators as well: they are proposed and approved as bookings
-- are, and done at once. cancels is what the booking that is taken back is.
ALTER TABLE booking_proposal DROP CONSTRAINT booking_proposal_kind_check;
ALTER TABLE booking_proposal ADD CHECK (kind IN ('pnl', 'settle', 'chargeback', 'recall', 'cancel'));
ALTER TABLE booking_proposal ADD COLUMN claim TEXT NOT NULL DEFAULT '';
ALTER TABLE booking_proposal ADD COLUMN booking TEXT NOT NULL DEFAULT '';
ALTER TABLE booking_proposal ADD COLUMN cancels TEXT NOT NULL DEFAULT '';
ALTER TABLE booking_proposal ADD CHECK ((kind = 'recall') = (claim <> ''));
ALTER TABLE booking_proposal ADD CHECK ((kind = 'cancel') = (booking <> ''));
CREATE OR REPLACE FUNCTION booking_proposal_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.line, NEW.sale, NEW.claim, NEW.booking, NEW.cancels, NEW.amount, NEW.reference, NEW.evidence, NEW.happened_at, NEW.day, NEW.proposed_by, NEW.proposed_name, NEW.proposed_at)
        IS DISTINCT FROM (OLD.id, OLD.kind, OLD.line, OLD.sale, OLD.claim, OLD.booking, OLD.cancels, OLD.amount, OLD.reference, OLD.evidence, OLD.happened_at, OLD.day, OLD.proposed_by, OLD.proposed_name, OLD.proposed_at) THEN
        RAISE EXCEPTION 'what was proposed stays as it is';
    END IF;
    IF OLD.state <> 'waiting' THEN
        RAISE EXCEPTION 'what was decided stays as it is';
    END IF;
    RETURN NEW;
END $$;
