-- Who was asked whether they want a customer's mail, what they said, and the addresses by which they say it. Times are
-- epoch milliseconds.

CREATE TABLE recipient (
  customer TEXT NOT NULL,
  recipient TEXT NOT NULL,             -- SHA-256 of the customer and the mail address, as in unsubscribed
  address TEXT NOT NULL,               -- in lower case
  state TEXT NOT NULL,                 -- invited, confirmed, declined, left
  asked_at BIGINT NOT NULL,            -- the last letter
  said_at BIGINT,                      -- since when the state is what they said; none: they said nothing yet
  PRIMARY KEY (customer, recipient)
); -- clustered
CREATE UNIQUE INDEX recipient_address ON recipient (customer, address);

CREATE TABLE recipient_token (
  customer TEXT NOT NULL,
  token TEXT NOT NULL,                 -- SHA-256 of the secret in the address
  recipient TEXT NOT NULL,
  module TEXT NOT NULL,                -- which asked
  sender TEXT NOT NULL,                -- the address that the letter came from
  words TEXT NOT NULL,                 -- what for
  created_at BIGINT NOT NULL,
  PRIMARY KEY (customer, token)
);
CREATE UNIQUE INDEX recipient_token_token ON recipient_token (token);
