-- The parts of the schema that only PostgreSQL has, or has in another form.

-- The role that the server works as may only read and add to these tables; package store
-- grants it after every migration.
COMMENT ON TABLE transfer IS 'append-only';
COMMENT ON TABLE entry IS 'append-only';
COMMENT ON TABLE batch IS 'append-only';
COMMENT ON TABLE command IS 'append-only';
COMMENT ON TABLE place_change IS 'append-only';
COMMENT ON TABLE deposit_address IS 'append-only';
COMMENT ON TABLE unmatched_payment IS 'append-only';
COMMENT ON TABLE withdrawal_part IS 'append-only';
COMMENT ON TABLE payout_tx IS 'append-only';
COMMENT ON TABLE booking_fact IS 'append-only';
COMMENT ON TABLE evidence IS 'append-only';
COMMENT ON TABLE trail IS 'append-only';
COMMENT ON TABLE member_note IS 'append-only';
COMMENT ON TABLE member_flag IS 'append-only';
COMMENT ON TABLE support_act IS 'append-only';

-- A note and an act of a ticket may lose their text when the person is erased, and
-- nothing else. The server's role may change that column only.
CREATE FUNCTION member_note_keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.text <> '[erased]' OR (NEW.id, NEW.uid, NEW.operator, NEW.name, NEW.at) IS DISTINCT FROM (OLD.id, OLD.uid, OLD.operator, OLD.name, OLD.at) THEN
        RAISE EXCEPTION 'member_note is append-only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER member_note_keep_row BEFORE UPDATE ON member_note FOR EACH ROW EXECUTE FUNCTION member_note_keep_row();
CREATE FUNCTION support_act_keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.text <> '[erased]' OR (NEW.ticket, NEW.no, NEW.kind, NEW.operator, NEW.name, NEW.at) IS DISTINCT FROM (OLD.ticket, OLD.no, OLD.kind, OLD.operator, OLD.name, OLD.at) THEN
        RAISE EXCEPTION 'support_act is append-only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER support_act_keep_row BEFORE UPDATE ON support_act FOR EACH ROW EXECUTE FUNCTION support_act_keep_row();

-- A proposal begins by waiting. Its content never changes, nor its decision; an approved
-- setting can still be called off. The server's role cannot delete here.
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
    IF (NEW.id, NEW.kind, NEW.line, NEW.sale, NEW.claim, NEW.booking, NEW.cancels, NEW.amount, NEW.reference, NEW.evidence, NEW.happened_at, NEW.day, NEW.proposed_by, NEW.proposed_name, NEW.proposed_at)
        IS DISTINCT FROM (OLD.id, OLD.kind, OLD.line, OLD.sale, OLD.claim, OLD.booking, OLD.cancels, OLD.amount, OLD.reference, OLD.evidence, OLD.happened_at, OLD.day, OLD.proposed_by, OLD.proposed_name, OLD.proposed_at) THEN
        RAISE EXCEPTION 'what was proposed stays as it is';
    END IF;
    IF OLD.state <> 'waiting' THEN
        RAISE EXCEPTION 'what was decided stays as it is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER booking_proposal_keep BEFORE UPDATE ON booking_proposal FOR EACH ROW EXECUTE FUNCTION booking_proposal_keep();
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

-- How many rows each operators' list has, and their sum, by the values it can be filtered
-- by: updated by triggers with every write, so that a list's total costs the same
-- whatever its length. 'bifolia verify' counts again.
CREATE TABLE list_sum (
    list   TEXT   NOT NULL,
    state  TEXT   NOT NULL,
    kind   TEXT   NOT NULL,
    waits  BIGINT NOT NULL,
    n      BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (list, state, kind, waits)
);

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
CREATE TRIGGER fund_request_sum AFTER DELETE OR UPDATE OF state, way, amount ON fund_request FOR EACH ROW EXECUTE FUNCTION fund_request_sum();

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
CREATE TRIGGER outbox_sum AFTER DELETE OR UPDATE OF state ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_sum();

-- Fund requests and mails of a group are added by one statement: their sum is added once,
-- instead of updating one row of list_sum once for each of them.
CREATE FUNCTION fund_request_sum_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
    SELECT 'fund_request', state, way, 0, COUNT(*), CAST(SUM(amount) AS BIGINT) FROM added GROUP BY state, way
    ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n, amount = list_sum.amount + excluded.amount;
    RETURN NULL;
END $$;
CREATE TRIGGER fund_request_sum_added AFTER INSERT ON fund_request REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION fund_request_sum_added();

CREATE FUNCTION outbox_sum_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
    SELECT 'outbox', state, '', 0, COUNT(*), 0 FROM added GROUP BY state
    ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n;
    RETURN NULL;
END $$;
CREATE TRIGGER outbox_sum_added AFTER INSERT ON outbox REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outbox_sum_added();

-- A claim waits for cash (Open), waits for its member (Funded) or is claimed; the sum is
-- the cash that is still missing. A close adds many claims with one statement.
CREATE FUNCTION claim_sum_add() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
        SELECT list, state, kind, waits, SUM(n), CAST(SUM(amount) AS BIGINT) FROM (SELECT 'claim' AS list, CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END AS state, line AS kind, 0 AS waits, 1 AS n, (net - recalled) AS amount FROM now) AS changed GROUP BY 1, 2, 3, 4
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n, amount = list_sum.amount + excluded.amount;
    RETURN NULL;
END $$;
CREATE TRIGGER claim_sum_add AFTER INSERT ON claim REFERENCING NEW TABLE AS now FOR EACH STATEMENT EXECUTE FUNCTION claim_sum_add();
CREATE FUNCTION claim_sum_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
        SELECT list, state, kind, waits, SUM(n), CAST(SUM(amount) AS BIGINT) FROM (SELECT 'claim' AS list, CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END AS state, line AS kind, 0 AS waits, -1 AS n, -(net - recalled) AS amount FROM was
            UNION ALL SELECT 'claim' AS list, CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END AS state, line AS kind, 0 AS waits, 1 AS n, (net - recalled) AS amount FROM now) AS changed GROUP BY 1, 2, 3, 4
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n, amount = list_sum.amount + excluded.amount;
    RETURN NULL;
END $$;
CREATE TRIGGER claim_sum_change AFTER UPDATE ON claim REFERENCING OLD TABLE AS was NEW TABLE AS now FOR EACH STATEMENT EXECUTE FUNCTION claim_sum_change();
CREATE FUNCTION claim_sum_drop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount)
        SELECT list, state, kind, waits, SUM(n), CAST(SUM(amount) AS BIGINT) FROM (SELECT 'claim' AS list, CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END AS state, line AS kind, 0 AS waits, -1 AS n, -(net - recalled) AS amount FROM was) AS changed GROUP BY 1, 2, 3, 4
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + excluded.n, amount = list_sum.amount + excluded.amount;
    RETURN NULL;
END $$;
CREATE TRIGGER claim_sum_drop AFTER DELETE ON claim REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION claim_sum_drop();

-- The words that tickets are searched by, once for each ticket: those of its query and
-- answers, in the spelling of support.Words. 'bifolia verify' compares them.
CREATE TABLE support_word (
    ticket BIGINT NOT NULL,
    word   TEXT   COLLATE "C" NOT NULL,
    PRIMARY KEY (ticket, word)
);
CREATE INDEX support_word_first ON support_word (word, ticket);

-- Operators find members by the beginning of these values, of a name by the beginning of
-- any of its first four words: the text after the first, second and third space.
CREATE INDEX member_by_name ON member ((lower(name)) COLLATE "C");
CREATE INDEX member_by_last_name ON member ((lower(last_name)) COLLATE "C") WHERE last_name <> '';
CREATE INDEX member_by_email ON member ((lower(email)) COLLATE "C");
CREATE INDEX member_by_mobile ON member (mobile COLLATE "C");
CREATE INDEX member_by_wallet ON member ((lower(wallet)) COLLATE "C") WHERE wallet <> '';
CREATE INDEX member_by_word_2 ON member ((lower(substr(name, strpos(name, ' ') + 1))) COLLATE "C") WHERE strpos(name, ' ') > 0;
CREATE INDEX member_by_word_3 ON member ((lower(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1))) COLLATE "C") WHERE strpos(substr(name, strpos(name, ' ') + 1), ' ') > 0;
CREATE INDEX member_by_word_4 ON member ((lower(substr(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1), strpos(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1), ' ') + 1))) COLLATE "C") WHERE strpos(substr(substr(name, strpos(name, ' ') + 1), strpos(substr(name, strpos(name, ' ') + 1), ' ') + 1), ' ') > 0;

-- Operators find payments by the beginning of a number or hash.
CREATE INDEX fund_request_by_number ON fund_request (number COLLATE "C");
CREATE INDEX withdrawal_by_hash ON withdrawal (hash COLLATE "C") WHERE hash <> '';
CREATE INDEX payout_tx_by_hash ON payout_tx (hash COLLATE "C");
