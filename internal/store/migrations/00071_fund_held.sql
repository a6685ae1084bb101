-- Of what members gave to others, how much may not leave the receiver, because the
-- giver's account was changed soon after. Rows are overwritten and never deleted.
CREATE TABLE fund_held (
    uid      BIGINT NOT NULL,
    fund     TEXT   NOT NULL,
    giver    BIGINT NOT NULL,
    amount   BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    PRIMARY KEY (uid, fund, giver)
);
CREATE INDEX fund_held_giver ON fund_held (giver, until_at);
