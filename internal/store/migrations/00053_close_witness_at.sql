-- What closes, recalls and claims start from is held against the chain: where their
-- lines are is noted. And a transaction number is looked for among all deposits, not
-- only those of the member who names it.
DELETE FROM witness_at WHERE what LIKE 'sale/%' OR what LIKE 'invest_position/%' OR what LIKE 'claim/%' OR what LIKE 'roi_batch/%' OR what LIKE 'booking/%' OR what LIKE 'plan_version/%';
CREATE INDEX transfer_deposit ON transfer (reference) WHERE kind = 'deposit';
