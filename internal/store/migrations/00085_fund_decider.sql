-- What one operator credits alone within 24 hours is limited: each approval asks
-- for that operator's latest decisions.
CREATE INDEX fund_request_decider ON fund_request (decided_by, decided_at) WHERE decided_by > 0;
