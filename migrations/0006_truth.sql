-- What lets a lost race be seen where it is written, whatever went wrong before.

-- How often a balance was written: it is written only by whoever read it last.
ALTER TABLE account ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

-- Steps that were committed. The trail numbers them, so that a step that was committed twice shows.
ALTER TABLE job ADD COLUMN steps BIGINT NOT NULL DEFAULT 0;

-- How often the step that it is at failed by itself. Attempts count also those whose host died or stood still.
ALTER TABLE job ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
