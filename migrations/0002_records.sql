-- What modules keep: records with their declared indexes, blobs, and derived data that may vanish.
-- A collection is written module.name, an index module.name/index.

CREATE TABLE record (
  customer TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version BIGINT NOT NULL CHECK (version > 0),
  body TEXT NOT NULL,
  PRIMARY KEY (customer, collection, id)
); -- clustered

-- Keys are encoded so that comparing text compares values: null < false < true < numbers < strings.
CREATE TABLE record_index (
  customer TEXT NOT NULL,
  place TEXT NOT NULL,
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (customer, place, key, id)
); -- clustered

CREATE TABLE blob (
  customer TEXT NOT NULL,
  module TEXT NOT NULL,
  key TEXT NOT NULL,
  content TEXT NOT NULL,               -- SHA-256 of the bytes
  PRIMARY KEY (customer, module, key)
); -- clustered
CREATE INDEX blob_content_used ON blob (customer, content);

-- Equal bytes of one customer are kept once.
CREATE TABLE blob_content (
  customer TEXT NOT NULL,
  content TEXT NOT NULL,
  size BIGINT NOT NULL,
  deflated BLOB NOT NULL,
  PRIMARY KEY (customer, content)
);

CREATE TABLE cache (
  customer TEXT NOT NULL,
  module TEXT NOT NULL,
  key TEXT NOT NULL,
  value BLOB NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (customer, module, key)
);
CREATE INDEX cache_expires ON cache (expires_at);
