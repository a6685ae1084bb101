-- What was done about a ticket may lose its text, and nothing else: when the
-- person is erased.
DROP TRIGGER support_act_keep_row;
CREATE TRIGGER support_act_keep_row BEFORE UPDATE ON support_act
    WHEN NEW.text <> '[erased]' OR NEW.ticket <> OLD.ticket OR NEW.no <> OLD.no OR NEW.kind <> OLD.kind OR NEW.operator <> OLD.operator OR NEW.name <> OLD.name OR NEW.at <> OLD.at
    BEGIN SELECT RAISE(ABORT, 'support_act is append-only'); END;
