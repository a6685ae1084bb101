-- What a letter says is sealed, together, in letter: text and html stay empty. Bank
-- details of members are sealed in their columns, and found by a keyed hash.
CREATE INDEX outbox_forged ON outbox (error) WHERE state = 'failed';
DROP INDEX member_by_bank;
ALTER TABLE member ADD COLUMN bank_key TEXT NOT NULL DEFAULT '';
CREATE INDEX member_by_bank ON member (bank_key) WHERE bank_key <> '';
