-- Indexes and sums for long histories and large closes.

-- Only a chargeback looks for the rows of a sale; those of a batch are found
-- among the rows of its day.
DROP INDEX income_source;
CREATE INDEX income_sale ON income (source) WHERE kind = 0;

-- Network rows that left Hold after their close, and claims paid on a day.
CREATE INDEX income_released ON income (released_day) WHERE released_day > 0;
CREATE INDEX claim_paid ON claim (claim_day) WHERE claim_day > 0;

-- Who is blocked, among all members.
CREATE INDEX member_blocked ON member (uid) WHERE blocked_at <> 0;

-- Purchases in the order in which histories show them: a member's, and all.
DROP INDEX sale_no;
DROP INDEX invest_position_no;
CREATE INDEX sale_no ON sale (no, day, at, id);
CREATE INDEX invest_position_no ON invest_position (no, line, day, at, id);
CREATE INDEX sale_day ON sale (day, at, id, no);
CREATE INDEX invest_position_day ON invest_position (line, day, at, id, no);

-- What a member earned by many rows of one kind (0 level, 7 ROI level) in one
-- close, written with them; of kind 7 by one batch. Between row_first and
-- row_last all of the member's rows of that kind and line are in it.
CREATE TABLE income_sum (
    earner    BIGINT NOT NULL,
    kind      BIGINT NOT NULL,
    line      TEXT   NOT NULL,
    row_first BIGINT NOT NULL,
    row_last  BIGINT NOT NULL,
    batch     TEXT   NOT NULL,
    n         BIGINT NOT NULL,
    paid      BIGINT NOT NULL,
    PRIMARY KEY (earner, kind, line, row_first)
);
INSERT INTO income_sum (earner, kind, line, row_first, row_last, batch, n, paid)
SELECT earner, kind, line, MIN(row_no), MAX(row_no), CASE WHEN kind = 7 THEN source ELSE '' END, COUNT(*), CAST(SUM(paid) AS BIGINT)
FROM income WHERE kind IN (0, 7) GROUP BY earner, kind, line, day, CASE WHEN kind = 7 THEN source ELSE '' END HAVING COUNT(*) >= 32;
