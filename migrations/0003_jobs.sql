-- Work that goes on after the answer. The claim and its lease are the authority: only their holder commits a step.

CREATE TABLE job (
  customer TEXT NOT NULL,
  job TEXT NOT NULL,
  module TEXT NOT NULL,
  step TEXT NOT NULL,
  operation TEXT NOT NULL,
  payload TEXT NOT NULL,
  checkpoint TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'waiting', 'running', 'succeeded', 'failed', 'cancelled')),
  progress TEXT NOT NULL,
  outcome TEXT,
  attempt BIGINT NOT NULL,             -- of the step that it is at
  claim TEXT,
  node TEXT,
  due_at BIGINT,                       -- when a worker may take it; while it runs, when its lease ends; none: it has ended
  units BIGINT NOT NULL,               -- used so far, as are the next two
  points BIGINT NOT NULL,
  credits BIGINT NOT NULL,
  grant_id TEXT,
  request TEXT,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (customer, job)
);
CREATE INDEX job_due ON job (due_at) WHERE due_at IS NOT NULL;
