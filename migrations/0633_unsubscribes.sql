-- Who wants no more mail of a customer's module, and the addresses by which they say so. Times are epoch milliseconds.

CREATE TABLE unsubscribe_token (
  customer TEXT NOT NULL,
  token TEXT NOT NULL,                 -- SHA-256 of the secret in the address
  module TEXT NOT NULL,
  recipient TEXT NOT NULL,             -- SHA-256 of the customer and the mail address
  created_at BIGINT NOT NULL,
  PRIMARY KEY (customer, token)
);
CREATE UNIQUE INDEX unsubscribe_token_token ON unsubscribe_token (token);

CREATE TABLE unsubscribed (
  customer TEXT NOT NULL,
  module TEXT NOT NULL,
  recipient TEXT NOT NULL,
  at BIGINT NOT NULL,                  -- the first time
  way TEXT NOT NULL,                   -- one_click, page
  PRIMARY KEY (customer, module, recipient)
); -- clustered
