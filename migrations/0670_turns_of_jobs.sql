-- What fair sharing of job slots reads: who has work that is due, who has work that runs, and how much of each customer's
-- work is open.

CREATE INDEX job_turn ON job (due_at, customer, job, module) WHERE due_at IS NOT NULL;
CREATE INDEX job_running ON job (customer, module, node, due_at) WHERE state = 'running';
CREATE INDEX job_open ON job (customer, due_at) WHERE due_at IS NOT NULL;
