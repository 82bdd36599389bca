-- Consents at providers that customers were asked for: from the start of one until a day after its end.
CREATE TABLE consent (
  customer TEXT NOT NULL,
  consent TEXT NOT NULL,
  kind TEXT NOT NULL,                  -- of catalog/connections.toml
  name TEXT NOT NULL,                  -- what the connection is to be called
  scopes TEXT NOT NULL,                -- what is asked for, with spaces between
  connection TEXT,                     -- the one that came of it, or that is to be renewed
  state TEXT NOT NULL CHECK (state IN ('started', 'away', 'answered', 'completed', 'refused', 'failed')),
  error TEXT,                          -- the provider's or our word for what went wrong
  session TEXT,                        -- the portal session that went to the provider
  state_hash TEXT,                     -- SHA-256 of the parameter state of that trip
  kek TEXT,                            -- the trip's PKCE verifier, sealed
  wrapped BLOB,
  sealed BLOB,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (customer, consent)
);
CREATE UNIQUE INDEX consent_state ON consent (state_hash);
CREATE INDEX consent_expires ON consent (expires_at);

-- Who of all nodes asks a provider for a new access token of a connection: a refresh token may be good for one use.
CREATE TABLE refresh_turn (
  customer TEXT NOT NULL,
  connection TEXT NOT NULL,
  holder TEXT NOT NULL,
  until BIGINT NOT NULL,               -- the turn of a node that says nothing any more is over then
  PRIMARY KEY (customer, connection)
); -- clustered
