-- What the portal shows of a customer: points by day, operation and grant, folded as they are charged, so that a
-- page reads a few hundred rows however long the trail is. And a customer's jobs by age.

CREATE TABLE usage_day (
  customer TEXT NOT NULL,
  day BIGINT NOT NULL,                 -- UTC days since 1970-01-01
  operation TEXT NOT NULL,
  grant_id TEXT NOT NULL,              -- empty: not known
  calls BIGINT NOT NULL,
  points BIGINT NOT NULL,
  PRIMARY KEY (customer, day, operation, grant_id)
); -- clustered

-- What was charged before this table was there. The ledger does not say under which grant.
INSERT INTO usage_day (customer, day, operation, grant_id, calls, points)
SELECT customer, at / 86400000, code, '', COUNT(*), CAST(SUM(amount) AS BIGINT) FROM transfer
WHERE credit = 'points.used' AND kind IN ('single', 'post')
GROUP BY customer, at / 86400000, code;

CREATE INDEX job_created ON job (customer, created_at, job);
