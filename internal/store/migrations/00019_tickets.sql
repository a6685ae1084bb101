-- Tickets are worked by operators. A complaint has clocks: due_at is by when the
-- next thing about it has to be done, 0 for what has no deadline. waits is 1
-- while something is to be done at all. acts counts the rows of support_act, so
-- that nobody acts on a thread that somebody else has changed meanwhile.
ALTER TABLE support_ticket ADD COLUMN kind TEXT NOT NULL DEFAULT 'query' CHECK (kind IN ('query', 'complaint'));
ALTER TABLE support_ticket ADD COLUMN assignee BIGINT NOT NULL DEFAULT 0;
ALTER TABLE support_ticket ADD COLUMN assignee_name TEXT NOT NULL DEFAULT '';
ALTER TABLE support_ticket ADD COLUMN answered_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE support_ticket ADD COLUMN closed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE support_ticket ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE support_ticket ADD COLUMN waits BIGINT NOT NULL DEFAULT 0;
ALTER TABLE support_ticket ADD COLUMN acts BIGINT NOT NULL DEFAULT 0;

-- What operators did about a ticket, in order: the thread.
CREATE TABLE support_act (
    ticket   BIGINT NOT NULL,
    no       BIGINT NOT NULL,
    kind     TEXT   NOT NULL CHECK (kind IN ('answer', 'close', 'reopen', 'assign', 'complaint')),
    operator BIGINT NOT NULL,
    name     TEXT   NOT NULL,
    text     TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (ticket, no)
);

UPDATE support_ticket SET waits = 1 WHERE status = 'open';
INSERT INTO support_act (ticket, no, kind, operator, name, text, at)
    SELECT id, 1, 'answer', operator, '', reply, replied_at FROM support_ticket WHERE reply <> '';
UPDATE support_ticket SET answered_at = replied_at, acts = 1 WHERE reply <> '';

CREATE INDEX support_ticket_waiting ON support_ticket (due_at, id) WHERE waits = 1;
CREATE INDEX support_ticket_status ON support_ticket (status, id);
