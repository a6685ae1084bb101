-- Since when a member's e-mail address is confirmed, 0 while it is not: nothing secret
-- is mailed there before. Addresses from before this had received what was mailed.
ALTER TABLE member ADD COLUMN email_ok BIGINT NOT NULL DEFAULT 0;
UPDATE member SET email_ok = CASE WHEN email_at > 0 THEN email_at ELSE joined_at END WHERE email <> '';

-- Links that confirm an address, or bring a former one back. mark is a keyed hash of the
-- link's secret and of the rest of the row: a row that was changed past the program is
-- good for nothing. A link that was used is deleted.
CREATE TABLE email_link (
    uid      BIGINT NOT NULL,
    mark     BYTEA  NOT NULL,
    purpose  TEXT   NOT NULL CHECK (purpose IN ('confirm', 'undo')),
    email    TEXT   NOT NULL,
    made_at  BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    PRIMARY KEY (uid, mark)
);
