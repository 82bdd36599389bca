-- Caps that customers put on their own spending, with what was counted in the present day and month. What is held
-- counts as spent until it comes back.
CREATE TABLE budget (
  customer TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('workspace', 'module', 'site', 'client')),
  target TEXT NOT NULL,                -- empty for the workspace
  unit TEXT NOT NULL CHECK (unit IN ('points', 'credits')),
  daily BIGINT,                        -- none: no cap; credits in thousandths, as below
  monthly BIGINT,
  day BIGINT NOT NULL,                 -- UTC days since 1970-01-01
  used_day BIGINT NOT NULL CHECK (used_day >= 0),
  month BIGINT NOT NULL,               -- UTC months since 1970-01
  used_month BIGINT NOT NULL CHECK (used_month >= 0),
  PRIMARY KEY (customer, scope, target, unit)
); -- clustered

-- For whom something is held, so that what comes back comes back to the same caps.
ALTER TABLE hold ADD COLUMN grant_id TEXT;
ALTER TABLE hold ADD COLUMN site TEXT;
