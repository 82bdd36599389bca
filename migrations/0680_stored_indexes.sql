-- Which indexes are kept of which collection. Whoever writes a record writes its keys in all of them, whichever
-- revision of its module it runs: so that an index is whole when a revision that asks it comes into force, and when the
-- one before it does again. An index is a name and its fields; the same name over other fields is another one.

CREATE TABLE stored_index (
  place TEXT NOT NULL PRIMARY KEY,     -- where its keys are, in record_index
  number BIGINT NOT NULL UNIQUE,       -- the highest says which set of indexes a writer knows
  collection TEXT NOT NULL,            -- module.name
  name TEXT NOT NULL,
  fields TEXT NOT NULL,                -- JSON
  done_customer TEXT,                  -- up to here older records have their keys
  done_id TEXT,
  rows_done BIGINT NOT NULL,
  ready_at BIGINT,                     -- none: older records are still given their keys
  UNIQUE (collection, name, fields)
);
