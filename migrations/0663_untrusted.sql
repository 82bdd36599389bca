-- Which members of a stored answer hold text from pages and providers: `meta.untrusted`, so that a replay says it in the same bytes.
ALTER TABLE answer ADD COLUMN untrusted TEXT NOT NULL DEFAULT '';
