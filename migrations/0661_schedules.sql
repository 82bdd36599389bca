-- Calls that are made again and again in a customer's name, and who wants to be told of ended jobs.

CREATE TABLE schedule (
  customer TEXT NOT NULL,
  module TEXT NOT NULL,
  name TEXT NOT NULL,
  grant_id TEXT NOT NULL,
  plan TEXT NOT NULL,
  next_at BIGINT,
  lease_until BIGINT,
  stage TEXT,
  stopped TEXT,
  last_at BIGINT,
  outcome TEXT,
  watched BIGINT,
  version BIGINT NOT NULL,
  PRIMARY KEY (customer, module, name)
);
CREATE INDEX schedule_next ON schedule (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE notice_wish (
  customer TEXT NOT NULL,
  module TEXT NOT NULL,
  step TEXT NOT NULL,
  operation TEXT NOT NULL,
  PRIMARY KEY (customer)
);
