-- What the audit trail was at some moment, signed by a key that is not in the database.
-- They span all customers on purpose: one signature stands for every chain.

CREATE TABLE checkpoint (
  number BIGINT NOT NULL PRIMARY KEY,  -- counts up from 1; of two nodes that make the same one, one loses
  at BIGINT NOT NULL,                  -- epoch milliseconds
  heads BIGINT NOT NULL,               -- how many customers have a chain
  root TEXT NOT NULL,                  -- RFC 6962, over (customer, seq, hash) of each end of a chain, by customer
  previous TEXT NOT NULL,              -- SHA-256 of the note before; of the first one 32 zero bytes
  note TEXT NOT NULL                   -- C2SP signed-note of all this
);

-- The ends that moved since the checkpoint before. Of a customer who is not named the last one still counts.
CREATE TABLE checkpoint_leaf (
  customer TEXT NOT NULL,
  checkpoint BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (customer, checkpoint)
); -- clustered
CREATE INDEX checkpoint_leaf_of ON checkpoint_leaf (checkpoint);

-- The last leaf of each customer, kept to make the next checkpoint quickly. Nothing is proven from it.
CREATE TABLE checkpoint_head (
  customer TEXT NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL
); -- clustered
