-- Two indexes that every request and every withdrawal paid for although others
-- cover them: fund_request_way_state and withdrawal_state. (Lists give the state
-- as a parameter, which no partial index can serve.)
DROP INDEX fund_request_pending;
DROP INDEX withdrawal_open;
