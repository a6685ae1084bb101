-- When a transaction password was mailed, 0 if its owner chose it; and until when it
-- and what it is changed to move nothing, because support mailed it.
ALTER TABLE credential ADD COLUMN pin_mailed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE credential ADD COLUMN pin_rests BIGINT NOT NULL DEFAULT 0;
