-- Customers' own accounts at providers. What is secret of them is in connection_secret, and only sealed.
CREATE TABLE connection (
  customer TEXT NOT NULL,
  connection TEXT NOT NULL,
  version BIGINT NOT NULL CHECK (version > 0),
  kind TEXT NOT NULL,                  -- of catalog/connections.toml
  name TEXT NOT NULL,
  endpoint TEXT,                       -- none: the provider's
  state TEXT NOT NULL CHECK (state IN ('untested', 'ok', 'failing', 'expired')),
  pace BIGINT CHECK (pace > 0),        -- thousandths of a request in a second; none: not slowed
  settings TEXT NOT NULL,              -- a JSON object of the module connections
  secret BIGINT NOT NULL,              -- the version of the secret
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  answered_at BIGINT,                  -- when the provider last answered well
  PRIMARY KEY (customer, connection)
); -- clustered

CREATE TABLE connection_secret (
  customer TEXT NOT NULL,
  connection TEXT NOT NULL,
  version BIGINT NOT NULL CHECK (version > 0),
  kek TEXT NOT NULL,                   -- the key of the ring that wraps this secret's own key
  wrapped BLOB NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (customer, connection)
);
CREATE INDEX connection_secret_kek ON connection_secret (kek);

-- How often each was asked, by UTC day. The bucket is a span of latency, each about a fifth longer than the one before.
CREATE TABLE connection_usage (
  customer TEXT NOT NULL,
  connection TEXT NOT NULL,
  day BIGINT NOT NULL,                 -- UTC days since 1970-01-01
  operation TEXT NOT NULL,
  outcome TEXT NOT NULL,               -- ok, a status, or the name of a failure
  bucket BIGINT NOT NULL,
  calls BIGINT NOT NULL CHECK (calls > 0),
  PRIMARY KEY (customer, connection, day, operation, outcome, bucket)
); -- clustered
