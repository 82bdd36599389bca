-- What the attempts of one run have noted as spent at providers so far: what a later attempt notes again, because the
-- answers it gets are those of the journal, is counted once. Rows go with the journal of their run.
CREATE TABLE spending_noted (
  customer TEXT NOT NULL,
  run TEXT NOT NULL,                   -- as in send
  connection TEXT NOT NULL,
  currency TEXT NOT NULL,
  micros BIGINT NOT NULL CHECK (micros >= 0),
  noted_at BIGINT NOT NULL,            -- epoch milliseconds
  PRIMARY KEY (customer, run, connection, currency)
); -- clustered
