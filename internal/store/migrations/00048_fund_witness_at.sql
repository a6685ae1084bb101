-- Fund requests are held against the chain when they are decided: where the lines
-- of those that can still be decided or released are is noted anew.
DELETE FROM witness_at WHERE what LIKE 'fund_request/%';
