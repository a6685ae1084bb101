-- Indexes for long histories and large closes.

-- Only a chargeback looks for the rows of a sale; those of a batch are found
-- among the rows of its day.
DROP INDEX income_source;
CREATE INDEX income_sale ON income (source) WHERE kind = 0;

-- Network rows that left Hold after their close, and claims paid on a day.
CREATE INDEX income_released ON income (released_day) WHERE released_day > 0;
CREATE INDEX claim_paid ON claim (claim_day) WHERE claim_day > 0;

-- Who is blocked, among all members.
CREATE INDEX member_blocked ON member (uid) WHERE blocked_at <> 0;
