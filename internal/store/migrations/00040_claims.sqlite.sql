-- How many claims wait for cash, wait for their member or are claimed, by line, and
-- the cash that they still need: kept with every write, as other lists' sums are.
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'claim', CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END, line, 0, COUNT(*), CAST(SUM(net - recalled) AS BIGINT) FROM claim GROUP BY 1, 2, 3, 4;

CREATE TRIGGER claim_sum_add AFTER INSERT ON claim BEGIN
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('claim', CASE WHEN NEW.state = 'Claimed' THEN 'Claimed' WHEN NEW.recalled < NEW.net THEN 'Open' ELSE 'Funded' END, NEW.line, 0, 1, NEW.net - NEW.recalled)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER claim_sum_change AFTER UPDATE OF line, net, recalled, state ON claim BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - (OLD.net - OLD.recalled) WHERE list = 'claim' AND state = CASE WHEN OLD.state = 'Claimed' THEN 'Claimed' WHEN OLD.recalled < OLD.net THEN 'Open' ELSE 'Funded' END AND kind = OLD.line AND waits = 0;
    INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('claim', CASE WHEN NEW.state = 'Claimed' THEN 'Claimed' WHEN NEW.recalled < NEW.net THEN 'Open' ELSE 'Funded' END, NEW.line, 0, 1, NEW.net - NEW.recalled)
        ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount;
END;
CREATE TRIGGER claim_sum_drop AFTER DELETE ON claim BEGIN
    UPDATE list_sum SET n = n - 1, amount = amount - (OLD.net - OLD.recalled) WHERE list = 'claim' AND state = CASE WHEN OLD.state = 'Claimed' THEN 'Claimed' WHEN OLD.recalled < OLD.net THEN 'Open' ELSE 'Funded' END AND kind = OLD.line AND waits = 0;
END;

-- Claims in the order in which they came to wait; of a member, of a line; of those that wait
-- for cash, and of those that wait for their member.
CREATE INDEX claim_day ON claim (day, id);
DROP INDEX claim_no;
CREATE INDEX claim_no ON claim (no, day, id);
CREATE INDEX claim_line ON claim (line, day, id);
CREATE INDEX claim_open ON claim (day, id) WHERE state = 'Pending' AND recalled < net;
CREATE INDEX claim_funded ON claim (day, id) WHERE state = 'Pending' AND recalled >= net;
