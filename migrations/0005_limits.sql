-- How much of each limit is used up, where several nodes serve. A limit is known by a hash of its name and of whom it
-- is for; nothing here says who that is.
CREATE TABLE rate_window (
  limit_key BIGINT NOT NULL PRIMARY KEY,
  ends BIGINT NOT NULL,
  taken BIGINT NOT NULL,
  seen_at BIGINT NOT NULL              -- when a node last counted here
); -- clustered
