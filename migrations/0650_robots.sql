-- What the robots.txt of a place says: one for each scheme, host and port, fetched for everybody and by whom is not said.
CREATE TABLE robots_file (
  origin TEXT NOT NULL PRIMARY KEY,    -- https://shop.example
  status BIGINT NOT NULL,              -- of the answer, after redirects
  fetched_at BIGINT NOT NULL,
  fresh_until BIGINT NOT NULL,         -- then it is asked for again
  ends_at BIGINT NOT NULL,             -- until then it is better than nothing
  file BLOB NOT NULL                   -- deflated
);
CREATE INDEX robots_file_ends ON robots_file (ends_at);
