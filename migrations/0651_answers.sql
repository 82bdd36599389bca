-- Pages of the public web that a module was given and may be given again (RFC 9111): one customer's, one module's.
CREATE TABLE web_answer (
  customer TEXT NOT NULL,
  module TEXT NOT NULL,
  key TEXT NOT NULL,                   -- the hash of the address
  used_at BIGINT NOT NULL,             -- who was used longest ago goes first
  ends_at BIGINT NOT NULL,
  bytes BIGINT NOT NULL,               -- of what follows
  policy TEXT NOT NULL,                -- what was asked and answered, without the body
  body BLOB NOT NULL,                  -- deflated
  PRIMARY KEY (customer, module, key)
);
CREATE INDEX web_answer_used ON web_answer (customer, module, used_at, bytes);
CREATE INDEX web_answer_ends ON web_answer (ends_at);
