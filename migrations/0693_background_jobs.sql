-- Jobs that a schedule begins every few minutes: not listed among what the customer has started, and not kept for long.
ALTER TABLE job ADD COLUMN background BIGINT NOT NULL DEFAULT 0;
CREATE INDEX job_background ON job (changed_at) WHERE background = 1 AND due_at IS NULL;
