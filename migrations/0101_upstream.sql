-- Who an upstream OpenID provider says somebody is. Looked up before anybody knows the customer.

CREATE TABLE identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,               -- the provider's own name for the person; it never changes hands
  customer TEXT NOT NULL,
  linked_at BIGINT NOT NULL,           -- epoch milliseconds
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_customer ON identity (customer);
