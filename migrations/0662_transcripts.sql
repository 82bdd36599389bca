-- Runs that can be had again: of every fault, and of a share of the others. Sealed, for seven days, and not in backups.
CREATE TABLE transcript (
  customer TEXT NOT NULL,
  run TEXT NOT NULL,                   -- the request; of a job's step the job, the step and the attempt
  operation TEXT NOT NULL,
  digest TEXT NOT NULL,                -- of the component that ran
  engine TEXT NOT NULL,                -- and by which engine
  ending TEXT NOT NULL,                -- ok, guest.fault, or why it was stopped
  kek TEXT NOT NULL,                   -- the key of the ring that wraps the transcript's own
  wrapped BLOB NOT NULL,
  sealed BLOB NOT NULL,                -- deflated before
  made_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (customer, run)
);
CREATE INDEX transcript_run ON transcript (run);
CREATE INDEX transcript_ends ON transcript (ends_at);
