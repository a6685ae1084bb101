-- How many rows each operators' list has, and what they come to, by what it can
-- be filtered by: kept with every write by the database itself, so that a list's
-- total costs the same whatever its length. 'bifolia verify' counts again.
CREATE TABLE list_sum (
    list   TEXT   NOT NULL,
    state  TEXT   NOT NULL,
    kind   TEXT   NOT NULL,
    waits  BIGINT NOT NULL,
    n      BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (list, state, kind, waits)
);
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'fund_request', state, way, 0, COUNT(*), CAST(SUM(amount) AS BIGINT) FROM fund_request GROUP BY 1, 2, 3, 4;
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'withdrawal', state, '', 0, COUNT(*), CAST(SUM(amount) AS BIGINT) FROM withdrawal GROUP BY 1, 2, 3, 4;
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'support_ticket', status, kind, waits, COUNT(*), 0 FROM support_ticket GROUP BY 1, 2, 3, 4;
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'newsletter', state, '', 0, COUNT(*), 0 FROM newsletter GROUP BY 1, 2, 3, 4;
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'outbox', state, '', 0, COUNT(*), 0 FROM outbox GROUP BY 1, 2, 3, 4;

CREATE FUNCTION fund_request_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE list_sum SET n = n - 1, amount = amount - OLD.amount WHERE list = 'fund_request' AND state = OLD.state AND kind = OLD.way AND waits = 0;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('fund_request', NEW.state, NEW.way, 0, 1, NEW.amount)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER fund_request_sum AFTER INSERT OR DELETE OR UPDATE OF state, way, amount ON fund_request FOR EACH ROW EXECUTE FUNCTION fund_request_sum();

CREATE FUNCTION withdrawal_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE list_sum SET n = n - 1, amount = amount - OLD.amount WHERE list = 'withdrawal' AND state = OLD.state AND kind = '' AND waits = 0;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('withdrawal', NEW.state, '', 0, 1, NEW.amount)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_sum AFTER INSERT OR DELETE OR UPDATE OF state, amount ON withdrawal FOR EACH ROW EXECUTE FUNCTION withdrawal_sum();

CREATE FUNCTION support_ticket_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE list_sum SET n = n - 1 WHERE list = 'support_ticket' AND state = OLD.status AND kind = OLD.kind AND waits = OLD.waits;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('support_ticket', NEW.status, NEW.kind, NEW.waits, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER support_ticket_sum AFTER INSERT OR DELETE OR UPDATE OF status, kind, waits ON support_ticket FOR EACH ROW EXECUTE FUNCTION support_ticket_sum();

CREATE FUNCTION newsletter_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE list_sum SET n = n - 1 WHERE list = 'newsletter' AND state = OLD.state AND kind = '' AND waits = 0;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('newsletter', NEW.state, '', 0, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER newsletter_sum AFTER INSERT OR DELETE OR UPDATE OF state ON newsletter FOR EACH ROW EXECUTE FUNCTION newsletter_sum();

CREATE FUNCTION outbox_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE list_sum SET n = n - 1 WHERE list = 'outbox' AND state = OLD.state AND kind = '' AND waits = 0;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('outbox', NEW.state, '', 0, 1, 0)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER outbox_sum AFTER INSERT OR DELETE OR UPDATE OF state ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_sum();

-- Fund requests of one way, newest first, whatever their share.
CREATE INDEX fund_request_way ON fund_request (way, id);
CREATE INDEX fund_request_way_state ON fund_request (way, state, id);
-- The mail that has waited longest.
CREATE INDEX outbox_waiting ON outbox (created_at) WHERE state = 'waiting';
-- Tickets of a kind, and of a kind in a state, newest first; what waits in the
-- order in which it is to be done.
CREATE INDEX support_ticket_kind ON support_ticket (kind, id);
CREATE INDEX support_ticket_kind_status ON support_ticket (kind, status, id);
CREATE INDEX support_ticket_todo ON support_ticket ((CASE WHEN due_at = 0 THEN 1 ELSE 0 END), due_at, id) WHERE waits = 1;
