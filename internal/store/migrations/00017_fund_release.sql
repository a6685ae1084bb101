-- A number that the wrong member claimed first is released by an operator once
-- that request is Rejected. The claim stays where it is in fund_number; the n-th
-- claim of a number, after n-1 releases, stands there as "number #n". No number
-- in its one spelling has a space or a #, so its primary key still lets one claim
-- live at a time.
CREATE TABLE fund_release (
    request_id {{bigkey}},
    number     TEXT   NOT NULL,
    operator   BIGINT NOT NULL,
    name       TEXT   NOT NULL,
    reason     TEXT   NOT NULL CHECK (reason <> ''),
    at         BIGINT NOT NULL
);
CREATE INDEX fund_release_number ON fund_release (number);

-- Whose wallet a payment came from.
CREATE INDEX member_wallet ON member (wallet) WHERE wallet <> '';
