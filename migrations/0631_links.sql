-- Tracked redirects, and who followed them as far as that may be known. Times are epoch milliseconds, days are UTC.

CREATE TABLE link (
  customer TEXT NOT NULL,
  code TEXT NOT NULL,                  -- what stands in the address; case counts
  module TEXT NOT NULL,
  target TEXT NOT NULL,                -- fixed when the link is made
  context TEXT NOT NULL,               -- the module's own reference; says nothing to the host
  keeps_query BIGINT NOT NULL,         -- whether a visitor's query goes on to the target
  state TEXT NOT NULL,                 -- active, paused, expired
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (customer, code)
);
CREATE UNIQUE INDEX link_code ON link (code);

CREATE TABLE link_day (
  customer TEXT NOT NULL,
  code TEXT NOT NULL,
  day BIGINT NOT NULL,                 -- counted from 1970-01-01
  visits BIGINT NOT NULL,              -- without the three that follow
  probes BIGINT NOT NULL,              -- HEAD
  prefetches BIGINT NOT NULL,
  agents BIGINT NOT NULL,              -- programs that say what they are
  PRIMARY KEY (customer, code, day)
); -- clustered

-- What a module needs to tell people from programs, and no more. The salt of the visitor is gone with its day.
CREATE TABLE link_hit (
  customer TEXT NOT NULL,
  code TEXT NOT NULL,
  hit TEXT NOT NULL,                   -- grows with time
  at BIGINT NOT NULL,
  visitor TEXT NOT NULL,
  device TEXT NOT NULL,
  signs BIGINT NOT NULL,               -- 1 HEAD, 2 prefetch, 4 a known program, 8 without the headers of a browser
  referrer TEXT,                       -- a host
  PRIMARY KEY (customer, code, hit)
); -- clustered
CREATE INDEX link_hit_at ON link_hit (at);

CREATE TABLE visit_salt (
  day BIGINT NOT NULL PRIMARY KEY,
  salt TEXT NOT NULL
);
