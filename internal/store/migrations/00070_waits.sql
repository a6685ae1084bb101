-- Until when a member's money may not leave, and which change that is for.
ALTER TABLE credential ADD COLUMN wait_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE credential ADD COLUMN wait_for TEXT NOT NULL DEFAULT '';
