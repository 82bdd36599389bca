-- Which bytes of which revision were in force, in this order: so that older ones do not come back unseen.

CREATE TABLE in_force (
  revision TEXT NOT NULL,
  digest TEXT NOT NULL,                -- over all locks of the revision, and by them over its components
  number BIGINT NOT NULL,              -- the last time it came into force: a higher one is later
  since BIGINT NOT NULL,
  PRIMARY KEY (revision, digest)
);
