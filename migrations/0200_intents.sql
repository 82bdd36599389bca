-- Searches with what followed from them, and what customers report. Times are epoch milliseconds.

CREATE TABLE intent (
  customer TEXT NOT NULL,
  intent TEXT NOT NULL,
  grant_id TEXT NOT NULL,
  query TEXT,                          -- the goal in words, credentials taken out
  best TEXT,                           -- the operation that was offered first; none: nothing fitted
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,          -- the last moment at which the reference can be used
  PRIMARY KEY (customer, intent)
);
CREATE INDEX intent_created ON intent (created_at);

-- Executions are linked by the audit trail, which commits with their effect.
CREATE TABLE intent_link (
  customer TEXT NOT NULL,
  intent TEXT NOT NULL,
  at BIGINT NOT NULL,
  what TEXT NOT NULL,                  -- contract
  subject TEXT NOT NULL                -- an operation
);
CREATE INDEX intent_link_intent ON intent_link (customer, intent);
CREATE INDEX intent_link_at ON intent_link (at);

CREATE TABLE feedback (
  customer TEXT NOT NULL,
  feedback TEXT NOT NULL,
  grant_id TEXT NOT NULL,
  request TEXT NOT NULL,
  category TEXT NOT NULL,
  completion_state TEXT NOT NULL,
  goal TEXT NOT NULL,                  -- credentials taken out
  intent TEXT,
  operation TEXT,
  message TEXT,                        -- credentials taken out
  created_at BIGINT NOT NULL,
  PRIMARY KEY (customer, feedback)
);
CREATE INDEX feedback_created ON feedback (created_at);
