-- What calls cost, what they answered under their keys, and the trail of what was done.
-- Times are epoch milliseconds. Amounts are whole points, or thousandths of a credit.

-- Balances: the fold of the transfers, kept beside them so that a charge reads one row.
-- A limited account never owes: what is posted and what is held together stay within its credit.
CREATE TABLE account (
  customer TEXT NOT NULL,
  account TEXT NOT NULL,               -- allowance:2026-11-20 | points | credits, and their counterparts
  limited BIGINT NOT NULL CHECK (limited IN (0, 1)),
  debits_pending BIGINT NOT NULL CHECK (debits_pending >= 0),
  debits_posted BIGINT NOT NULL CHECK (debits_posted >= 0),
  credits_pending BIGINT NOT NULL CHECK (credits_pending >= 0),
  credits_posted BIGINT NOT NULL CHECK (credits_posted >= 0),
  PRIMARY KEY (customer, account),
  CHECK (limited = 0 OR debits_pending + debits_posted <= credits_posted)
); -- clustered

-- Every movement, append-only. An id says what it is for, so nothing can be moved twice for one reason.
CREATE TABLE transfer (
  customer TEXT NOT NULL,
  transfer TEXT NOT NULL,              -- grant:2026-11-20, activation, req_…:a, job_…:hold:c, and ‹pending›! for what resolves it
  kind TEXT NOT NULL CHECK (kind IN ('single', 'pending', 'post', 'void')),
  resolves TEXT,                       -- the pending transfer that a post or a void ends
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount >= 0),
  code TEXT NOT NULL,                  -- the operation, or the reason
  at BIGINT NOT NULL,
  PRIMARY KEY (customer, transfer)
); -- clustered
-- What is held resolves at most once.
CREATE UNIQUE INDEX transfer_resolves ON transfer (customer, resolves) WHERE resolves IS NOT NULL;

-- Pending transfers that are still open, by what they are held for: a request, or a job.
CREATE TABLE hold (
  customer TEXT NOT NULL,
  hold TEXT NOT NULL,
  day BIGINT NOT NULL,                 -- whose allowance; days since 1970-01-01
  allowance BIGINT NOT NULL,
  points BIGINT NOT NULL,
  credits BIGINT NOT NULL,
  code TEXT NOT NULL,
  expires_at BIGINT,                   -- none: held until the job ends
  PRIMARY KEY (customer, hold)
); -- clustered
CREATE INDEX hold_expires ON hold (expires_at) WHERE expires_at IS NOT NULL;

-- Answers of finished calls under their idempotency keys.
CREATE TABLE answer (
  customer TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  request TEXT NOT NULL,
  refused BIGINT NOT NULL,             -- 1: body is the refusal; 0: body is the data
  body TEXT NOT NULL,
  usage TEXT NOT NULL,
  api_version TEXT NOT NULL,
  at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (customer, key)
);
CREATE INDEX answer_expires ON answer (expires_at);

-- The trail: a chain for each customer. hash = SHA-256(0x00 ‖ prev ‖ body), prev of the first is 32 zero bytes.
CREATE TABLE audit (
  customer TEXT NOT NULL,
  seq BIGINT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,                  -- RFC 8785
  PRIMARY KEY (customer, seq)
);
CREATE TABLE audit_head (
  customer TEXT NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL
); -- clustered
