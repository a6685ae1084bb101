-- Which member a letter is about, 0 for none or not known: an address may be shared, or
-- be somebody else's that a member merely entered.
ALTER TABLE outbox ADD COLUMN uid BIGINT NOT NULL DEFAULT 0;
CREATE INDEX outbox_uid ON outbox (uid);

-- Whether a former or entered address was ever confirmed. Those from before this were in
-- force, except those whose link still waits.
ALTER TABLE member_email ADD COLUMN confirmed BIGINT NOT NULL DEFAULT 0;
UPDATE member_email SET confirmed = 1 WHERE NOT EXISTS (
    SELECT 1 FROM email_link l WHERE l.uid = member_email.uid AND l.email = member_email.email AND l.purpose = 'confirm');

-- When a link that confirms an address was used, 0 for not yet: opened again, it says so.
ALTER TABLE email_link ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0;
