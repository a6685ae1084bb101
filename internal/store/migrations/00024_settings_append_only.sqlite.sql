-- What was proposed never changes, what was decided changes only by being
-- called off, and nothing is deleted.
CREATE TRIGGER setting_proposal_no_delete BEFORE DELETE ON setting_proposal BEGIN SELECT RAISE(ABORT, 'setting_proposal is never deleted'); END;
CREATE TRIGGER setting_proposal_keep_words BEFORE UPDATE ON setting_proposal
WHEN NEW.id <> OLD.id OR NEW.section <> OLD.section OR NEW.was <> OLD.was OR NEW.body <> OLD.body OR NEW.reason <> OLD.reason
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at
BEGIN SELECT RAISE(ABORT, 'what was proposed stays as it is'); END;
CREATE TRIGGER setting_proposal_keep_decision BEFORE UPDATE ON setting_proposal
WHEN OLD.state <> 'waiting' AND (NEW.state <> 'called off' OR OLD.state <> 'approved' OR NEW.decided_by <> OLD.decided_by OR NEW.decided_at <> OLD.decided_at OR NEW.holds_from <> OLD.holds_from)
BEGIN SELECT RAISE(ABORT, 'what was decided stays as it is'); END;
