-- What was approved on a day, for the limit of all members: by the only approval,
-- or by the second.
CREATE INDEX withdrawal_approved ON withdrawal (first_at, amount) WHERE first_at > 0 AND second_at = 0;
CREATE INDEX withdrawal_approved_second ON withdrawal (second_at, amount) WHERE second_at > 0;
