-- How many rows an operators' list has in all, and their sum, are read from an
-- index and not from wide rows; the newest of a state are its end.
CREATE INDEX withdrawal_state ON withdrawal (state, id, amount);
CREATE INDEX fund_request_state ON fund_request (state, id, way);
