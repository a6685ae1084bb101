-- Fund requests and mails of a group are added by one statement: what they come
-- to is then added once, not row by row to a row that each time becomes another.
CREATE FUNCTION fund_request_sum_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
    SELECT 'fund_request', state, way, 0, COUNT(*), CAST(SUM(amount) AS BIGINT) FROM added GROUP BY state, way
    ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n, amount = list_sum.amount + excluded.amount;
    RETURN NULL;
END $$;
DROP TRIGGER fund_request_sum ON fund_request;
CREATE TRIGGER fund_request_sum AFTER DELETE OR UPDATE OF state, way, amount ON fund_request FOR EACH ROW EXECUTE FUNCTION fund_request_sum();
CREATE TRIGGER fund_request_sum_added AFTER INSERT ON fund_request REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION fund_request_sum_added();

CREATE FUNCTION outbox_sum_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
    SELECT 'outbox', state, '', 0, COUNT(*), 0 FROM added GROUP BY state
    ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n;
    RETURN NULL;
END $$;
DROP TRIGGER outbox_sum ON outbox;
CREATE TRIGGER outbox_sum AFTER DELETE OR UPDATE OF state ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_sum();
CREATE TRIGGER outbox_sum_added AFTER INSERT ON outbox REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outbox_sum_added();
