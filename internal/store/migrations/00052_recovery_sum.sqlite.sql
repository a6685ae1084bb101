-- What an operator's recovery codes are and which were used, as one fingerprint in
-- a row that the chain vouches for; empty until they next change.
ALTER TABLE operator_factor ADD COLUMN recovery BYTEA NOT NULL DEFAULT x'';
