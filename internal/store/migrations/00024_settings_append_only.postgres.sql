-- What was proposed never changes, and what was decided changes only by being
-- called off. The server's role cannot delete here.
CREATE FUNCTION setting_proposal_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.section, NEW.was, NEW.body, NEW.reason, NEW.proposed_by, NEW.proposed_name, NEW.proposed_at)
        IS DISTINCT FROM (OLD.id, OLD.section, OLD.was, OLD.body, OLD.reason, OLD.proposed_by, OLD.proposed_name, OLD.proposed_at) THEN
        RAISE EXCEPTION 'what was proposed stays as it is';
    END IF;
    IF OLD.state <> 'waiting' AND (NEW.state <> 'called off' OR OLD.state <> 'approved'
        OR (NEW.decided_by, NEW.decided_at, NEW.holds_from) IS DISTINCT FROM (OLD.decided_by, OLD.decided_at, OLD.holds_from)) THEN
        RAISE EXCEPTION 'what was decided stays as it is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER setting_proposal_keep BEFORE UPDATE ON setting_proposal FOR EACH ROW EXECUTE FUNCTION setting_proposal_keep();
