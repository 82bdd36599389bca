-- The latest moment at which something was charged, by the host's clock, written at most once a minute.
-- A clock that falls behind it charges nothing. It belongs to the database, not to a customer.
CREATE TABLE clock_mark (
  clock TEXT NOT NULL PRIMARY KEY,     -- host
  at BIGINT NOT NULL
);
