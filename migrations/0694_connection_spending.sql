-- What was spent at providers through each connection, by UTC day, as the modules that asked read it off the answers.
CREATE TABLE connection_spending (
  customer TEXT NOT NULL,
  connection TEXT NOT NULL,
  day BIGINT NOT NULL,                 -- UTC days since 1970-01-01
  currency TEXT NOT NULL,
  micros BIGINT NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (customer, connection, day, currency)
); -- clustered
