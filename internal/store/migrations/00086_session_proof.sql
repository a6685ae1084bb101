-- When the owner of a session last proved to be there, beyond holding its token.
-- mac is made with a key that the database does not hold, over session, operator
-- and time: a row that somebody writes or moves past the program proves nothing.
CREATE TABLE session_proof (
    session TEXT   NOT NULL PRIMARY KEY,
    at      BIGINT NOT NULL,
    mac     BYTEA  NOT NULL
);
CREATE INDEX session_proof_at ON session_proof (at);
