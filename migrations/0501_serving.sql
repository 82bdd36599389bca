-- Which revision of the catalog is served, by every host that is not pinned to one. No row: the newest that a host has.
CREATE TABLE serving (
  what TEXT NOT NULL PRIMARY KEY,      -- catalog
  revision TEXT NOT NULL,
  since BIGINT NOT NULL
);
