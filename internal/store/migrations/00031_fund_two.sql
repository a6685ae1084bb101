-- Above a limit it takes two operators to credit a fund request, and never the
-- same one twice. decided_by 0 is the chain's watcher, who has seen the money.
ALTER TABLE fund_request ADD COLUMN needs_two BIGINT NOT NULL DEFAULT 0 CHECK (needs_two IN (0, 1));
ALTER TABLE fund_request ADD COLUMN first_by BIGINT NOT NULL DEFAULT 0;
ALTER TABLE fund_request ADD COLUMN first_name TEXT NOT NULL DEFAULT '';
ALTER TABLE fund_request ADD COLUMN first_at BIGINT NOT NULL DEFAULT 0
    CHECK (state <> 'Approved' OR needs_two = 0 OR decided_by = 0 OR (first_by > 0 AND decided_by <> first_by));
