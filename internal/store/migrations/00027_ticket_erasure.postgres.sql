-- What was done about a ticket may lose its text, and nothing else: when the
-- person is erased. The server's role may change that column only.
CREATE FUNCTION support_act_keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.text <> '[erased]' OR (NEW.ticket, NEW.no, NEW.kind, NEW.operator, NEW.name, NEW.at) IS DISTINCT FROM (OLD.ticket, OLD.no, OLD.kind, OLD.operator, OLD.name, OLD.at) THEN
        RAISE EXCEPTION 'support_act is append-only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER support_act_keep_row BEFORE UPDATE ON support_act FOR EACH ROW EXECUTE FUNCTION support_act_keep_row();
