-- Credits that were ordered and are paid outside: an operator says when, or a payment provider's notice does.

CREATE TABLE credit_order (
  customer TEXT NOT NULL,
  reference TEXT NOT NULL,             -- what the customer writes on the payment
  credits BIGINT NOT NULL CHECK (credits > 0),
  placed_at BIGINT NOT NULL,           -- epoch milliseconds
  paid_at BIGINT,                      -- none: not paid yet
  PRIMARY KEY (customer, reference)
);
CREATE UNIQUE INDEX credit_order_reference ON credit_order (reference);
CREATE INDEX credit_order_placed ON credit_order (placed_at);
