-- On PostgreSQL the role that the server works as may only read and add to
-- these tables; package store grants it after every migration.
COMMENT ON TABLE transfer IS 'append-only';
COMMENT ON TABLE entry IS 'append-only';
COMMENT ON TABLE batch IS 'append-only';
COMMENT ON TABLE command IS 'append-only';
