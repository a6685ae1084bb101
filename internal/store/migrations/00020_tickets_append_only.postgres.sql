COMMENT ON TABLE support_act IS 'append-only';
