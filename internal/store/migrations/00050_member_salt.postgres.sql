-- The chain vouches for who a member is and how they are reached. Its line is of
-- the salt too: when a person is erased the salt goes, and by what stays in the
-- chain nothing can be guessed.
ALTER TABLE member ADD COLUMN salt BYTEA NOT NULL DEFAULT ''::bytea;
-- Random bits of the server, as many as a UUID of version 4 has: 122.
UPDATE member SET salt = uuid_send(gen_random_uuid()) WHERE erased_at = 0;
