-- Members' passwords are held against the chain when they sign in and before one is
-- changed: where their lines are is noted.
DELETE FROM witness_at WHERE what LIKE 'credential/%';
