-- SQLite alone.
-- A row of a clustered table lies in the tree of its key. To compare keys SQLite reads a row that is longer than a
-- quarter of a page whole, from its overflow pages, at every step of every search. What modules keep may be long: only
-- the keys stand in a tree of their own from here on.

ALTER TABLE record RENAME TO record_clustered;

CREATE TABLE record (
  customer TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version BIGINT NOT NULL CHECK (version > 0),
  body TEXT NOT NULL,
  PRIMARY KEY (customer, collection, id)
);

INSERT INTO record (customer, collection, id, version, body)
  SELECT customer, collection, id, version, body FROM record_clustered;

DROP TABLE record_clustered;
