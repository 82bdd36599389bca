-- What a customer sees of their own account: spending by website and in credits, jobs by website and by request, plans
-- and invoices.

ALTER TABLE job ADD COLUMN site TEXT;
ALTER TABLE job ADD COLUMN result_arguments TEXT;
CREATE INDEX job_request ON job (customer, request) WHERE request IS NOT NULL;

ALTER TABLE usage_day ADD COLUMN credits BIGINT NOT NULL DEFAULT 0;

-- As usage_day, for calls and jobs that name a website.
CREATE TABLE usage_site (
  customer TEXT NOT NULL,
  day BIGINT NOT NULL,
  site TEXT NOT NULL,
  calls BIGINT NOT NULL,
  points BIGINT NOT NULL,
  credits BIGINT NOT NULL,
  PRIMARY KEY (customer, day, site)
); -- clustered

-- Which plan a customer has from when on; the latest row that has begun is in force.
CREATE TABLE subscription (
  customer TEXT NOT NULL,
  since BIGINT NOT NULL,
  plan TEXT NOT NULL,
  reference TEXT NOT NULL,
  placed_at BIGINT NOT NULL,
  PRIMARY KEY (customer, since)
); -- clustered

-- What a customer is asked to pay: a pro-forma of an order, which becomes the invoice when it is paid, and the plan of
-- a period. Lines are JSON, money is in hundredths of the currency.
CREATE TABLE invoice (
  customer TEXT NOT NULL,
  invoice TEXT NOT NULL,
  credit_order TEXT,
  period TEXT,
  lines TEXT NOT NULL,
  currency TEXT NOT NULL,
  net BIGINT NOT NULL,
  tax_percent BIGINT NOT NULL,
  tax BIGINT NOT NULL,
  reference TEXT,
  issued_at BIGINT NOT NULL,
  paid_at BIGINT,
  void_at BIGINT,
  PRIMARY KEY (customer, invoice)
);
CREATE INDEX invoice_issued ON invoice (customer, issued_at, invoice);
