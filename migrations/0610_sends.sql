-- What calls and steps change outside: who may do it now, and what was handed to a provider already.

-- Calls under an idempotency key that may change something outside. Whoever has the token may send and commit.
CREATE TABLE claim (
  customer TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  operation TEXT NOT NULL,
  run TEXT NOT NULL,                   -- the first call's request: what was sent is found under it, whoever goes on
  token TEXT NOT NULL,
  lease_until BIGINT NOT NULL,         -- 0: nobody has it
  began_at BIGINT NOT NULL,
  PRIMARY KEY (customer, key)
); -- clustered
CREATE INDEX claim_lease ON claim (lease_until);

-- One line for each change that is handed to a provider, written before it is handed over.
CREATE TABLE send (
  customer TEXT NOT NULL,
  run TEXT NOT NULL,                   -- of a claim, or a job
  number BIGINT NOT NULL,              -- in the order of the run, from 1
  connection TEXT NOT NULL,
  digest TEXT NOT NULL,                -- of method, path and body: a second run must ask the same
  provider_key TEXT NOT NULL,          -- the same at every try
  state TEXT NOT NULL CHECK (state IN ('sent', 'answered', 'unknown')),
  answer TEXT,                         -- what the guest was told, for a second run
  run_at BIGINT NOT NULL,              -- the moment and the chance that the guest saw, so that it runs as before
  seed TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  PRIMARY KEY (customer, run, number)
); -- clustered
CREATE INDEX send_sent ON send (sent_at);
