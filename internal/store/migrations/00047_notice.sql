-- Up to when a member has read what happened to what is theirs.
CREATE TABLE notice_seen (
    uid     {{bigkey}},
    seen_at BIGINT NOT NULL
);
