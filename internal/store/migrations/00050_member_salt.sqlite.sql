-- The chain vouches for who a member is and how they are reached. Its line is of
-- the salt too: when a person is erased the salt goes, and by what stays in the
-- chain nothing can be guessed.
ALTER TABLE member ADD COLUMN salt BYTEA NOT NULL DEFAULT x'';
UPDATE member SET salt = randomblob(16) WHERE erased_at = 0;
