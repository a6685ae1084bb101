-- How many claims wait for cash, wait for their member or are claimed, by line, and
-- the cash that they still need: kept with every write, as other lists' sums are.
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'claim', CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END, line, 0, COUNT(*), CAST(SUM(net - recalled) AS BIGINT) FROM claim GROUP BY 1, 2, 3, 4;

-- A close adds many claims with one statement: they are counted once for all, for
-- a row that is written again and again in one transaction is slow to find.
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

-- Claims in the order in which they came to wait; of a member, of a line; of those that wait
-- for cash, and of those that wait for their member.
CREATE INDEX claim_day ON claim (day, id);
DROP INDEX claim_no;
CREATE INDEX claim_no ON claim (no, day, id);
CREATE INDEX claim_line ON claim (line, day, id);
CREATE INDEX claim_open ON claim (day, id) WHERE state = 'Pending' AND recalled < net;
CREATE INDEX claim_funded ON claim (day, id) WHERE state = 'Pending' AND recalled >= net;
