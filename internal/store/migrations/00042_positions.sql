-- How many positions are open on each line, what was put into them, and of that what
-- is carried as lost: kept with every investment and by each close.
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'position', 'open', line, 0, COUNT(*), CAST(SUM(principal) AS BIGINT) FROM invest_position WHERE state = 'open' GROUP BY line;
INSERT INTO list_sum (list, state, kind, waits, n, amount)
SELECT 'position_loss', 'open', line, 0, COUNT(*), CAST(SUM(loss) AS BIGINT) FROM invest_position WHERE state = 'open' GROUP BY line;

-- What the claims of a line that wait come to, without looking at those that were taken.
CREATE INDEX claim_waits ON claim (line, net, recalled) WHERE state = 'Pending';
