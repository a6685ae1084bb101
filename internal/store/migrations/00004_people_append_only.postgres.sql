COMMENT ON TABLE place_change IS 'append-only';
