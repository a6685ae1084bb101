-- Who proposed the close of a day and who approved it: two operators, unless
-- alone says why one was enough. Operator 0 is the command line or the schedule.
CREATE TABLE close_proposal (
    day           {{bigkey}},
    digest        TEXT   NOT NULL,
    proposed_by   BIGINT NOT NULL,
    proposed_name TEXT   NOT NULL,
    proposed_at   BIGINT NOT NULL,
    approved_by   BIGINT NOT NULL,
    approved_name TEXT   NOT NULL,
    approved_at   BIGINT NOT NULL,
    alone         TEXT   NOT NULL CHECK (alone IN ('', 'demo', 'command line', 'schedule')),
    CHECK (approved_at = 0 OR alone <> '' OR (proposed_by > 0 AND approved_by > 0 AND proposed_by <> approved_by))
);

-- What operators did, by the id of the event.
CREATE TABLE operator_act (
    id        TEXT   PRIMARY KEY,
    kind      TEXT   NOT NULL,
    subject   TEXT   NOT NULL,
    amount    BIGINT NOT NULL,
    reference TEXT   NOT NULL,
    operator  BIGINT NOT NULL,
    name      TEXT   NOT NULL,
    at        BIGINT NOT NULL
);
