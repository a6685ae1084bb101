-- Figures that are stored because reading all rows for them would take too long. The
-- table list_sum, which differs by engine, is one of them.

-- The sums of a day's close, written with it, so that reports over years read days and
-- not rows:
--   final     sales that became final, by buyer: member or customer
--   reversed  final sales charged back, by buyer
--   paid      incomes, by kind and line ("6 FOREX"); taken: incomes taken back
--   fee       the operator's share of booked profits, by line
-- n is their number. 'bifolia verify' adds all of it up again.
CREATE TABLE day_sum (
    day    BIGINT NOT NULL,
    name   TEXT   NOT NULL CHECK (name IN ('final', 'reversed', 'paid', 'taken', 'fee')),
    part   TEXT   NOT NULL,
    n      BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (day, name, part)
);

-- The public page as it was shown after the close of a day.
CREATE TABLE transparency (
    day     {{bigkey}},
    body    TEXT   NOT NULL,
    made_at BIGINT NOT NULL
);
