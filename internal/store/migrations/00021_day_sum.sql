-- What a day's close booked, added up, written with it, so that reports over
-- years read days and not rows:
--   final     sales that became final, by who bought: member or customer
--   reversed  final sales charged back, by who had bought
--   paid      incomes, by kind and line ("6 FOREX"); taken: what was taken back
--   fee       the operator's share of booked profits, by line
-- n is how many they are. 'bifolia verify' adds all of it up again.
CREATE TABLE day_sum (
    day    BIGINT NOT NULL,
    name   TEXT   NOT NULL CHECK (name IN ('final', 'reversed', 'paid', 'taken', 'fee')),
    part   TEXT   NOT NULL,
    n      BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (day, name, part)
);
INSERT INTO day_sum (day, name, part, n, amount)
SELECT s.final_day, 'final', CASE WHEN p.parent = 0 AND p.sponsor <> 0 THEN 'customer' ELSE 'member' END, COUNT(*), CAST(SUM(s.amount) AS BIGINT)
FROM sale s JOIN place p ON p.no = s.no WHERE s.state IN ('final', 'reversed') GROUP BY 1, 2, 3;
INSERT INTO day_sum (day, name, part, n, amount)
SELECT b.day, 'reversed', CASE WHEN p.parent = 0 AND p.sponsor <> 0 THEN 'customer' ELSE 'member' END, COUNT(*), CAST(SUM(s.amount) AS BIGINT)
FROM booking b JOIN sale s ON s.id = b.sale JOIN place p ON p.no = s.no WHERE b.kind = 'chargeback' AND b.closed = 1 AND b.refused = '' GROUP BY 1, 2, 3;
INSERT INTO day_sum (day, name, part, n, amount)
SELECT day, CASE WHEN reverses = 0 THEN 'paid' ELSE 'taken' END, CAST(kind AS TEXT) || ' ' || line, COUNT(*), CAST(SUM(paid) AS BIGINT)
FROM income GROUP BY 1, 2, 3;
INSERT INTO day_sum (day, name, part, n, amount)
SELECT fee_day, 'fee', line, COUNT(*), CAST(SUM(fee) AS BIGINT)
FROM roi_batch WHERE fee > 0 AND fee_day > 0 GROUP BY 1, 2, 3;

-- What members paid for withdrawing, by when it left.
CREATE INDEX withdrawal_confirmed ON withdrawal (confirmed_at, charge, net) WHERE confirmed_at > 0;
