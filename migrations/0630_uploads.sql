-- Files that customers hand over at a one-time address. Times are epoch milliseconds.

CREATE TABLE upload (
  customer TEXT NOT NULL,
  upload TEXT NOT NULL,
  module TEXT NOT NULL,
  token TEXT NOT NULL,                 -- SHA-256 of the secret in the address
  purpose TEXT NOT NULL,               -- the module's own word
  media_types TEXT NOT NULL,           -- a JSON array: what the file may be
  most_bytes BIGINT NOT NULL,
  state TEXT NOT NULL,                 -- waiting, receiving, complete
  receipt TEXT,                        -- random for every attempt: whose chunks count
  lease_until BIGINT,                  -- an attempt that has said nothing until then is over
  media_type TEXT,
  encoding TEXT,                       -- gzip: the bytes are kept as they were sent
  bytes BIGINT,
  sha256 TEXT,
  opened_at BIGINT NOT NULL,
  closes_at BIGINT NOT NULL,           -- until then the address can be used
  completed_at BIGINT,
  kept_until BIGINT NOT NULL,
  PRIMARY KEY (customer, upload)
);
CREATE UNIQUE INDEX upload_token ON upload (token);
CREATE INDEX upload_kept ON upload (kept_until);

CREATE TABLE upload_chunk (
  customer TEXT NOT NULL,
  upload TEXT NOT NULL,
  receipt TEXT NOT NULL,
  place BIGINT NOT NULL,               -- counted from 0; every one but the last has 1 MiB
  bytes BLOB NOT NULL,
  PRIMARY KEY (customer, upload, receipt, place)
);
