-- What earlier migrations left wrong in rows that were there before them.

-- A ticket that was closed before closing was noted has no time of it: the best
-- that is known is when it was last touched.
UPDATE support_ticket SET closed_at = CASE WHEN replied_at > 0 THEN replied_at ELSE created_at END WHERE status = 'closed' AND closed_at = 0;

-- What is no address, or only dots at Google, leads into no mailbox, so that
-- members who have it are not the same person.
UPDATE member SET email_key = '' WHERE email_key <> '' AND email_key NOT LIKE '_%@_%';
