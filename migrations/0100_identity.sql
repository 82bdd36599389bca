-- Who may come in, and with what: customers, clients, grants, codes, tokens, sessions.
-- Times are epoch milliseconds. Every secret is here only as the hex of its SHA-256.
-- Secrets and clients are looked up before anybody knows the customer, so those tables start with the secret.

CREATE TABLE customer (
  customer TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,                 -- trimmed and in lower case
  password TEXT,                       -- a PHC string of argon2id; none: no sign-in by password
  created_at BIGINT NOT NULL,
  activated_at BIGINT,                 -- external access was paid for; never taken back
  suspended_at BIGINT,                 -- an operator closed the account
  erased_at BIGINT                     -- the person is gone; the row stays for the ledger
);
CREATE UNIQUE INDEX customer_email ON customer (email);

CREATE TABLE client (
  client TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL,           -- of the registered metadata: the same metadata is the same client
  metadata TEXT NOT NULL,              -- JSON, as echoed
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL              -- last registered or approved; an unused client is removed
);
CREATE UNIQUE INDEX client_fingerprint ON client (fingerprint);
CREATE INDEX client_used ON client (used_at);

CREATE TABLE access_grant (
  customer TEXT NOT NULL,
  grant_id TEXT NOT NULL,
  client TEXT,                         -- none: a token the customer made by hand
  name TEXT NOT NULL,                  -- the client's name at approval, or the token's
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,              -- the audience of its tokens
  created_at BIGINT NOT NULL,
  used_at BIGINT,                      -- about when a token of it was last seen
  ended_at BIGINT,
  ended_because TEXT,                  -- revoked | refresh_reused | code_reused | abandoned | suspended | erased
  PRIMARY KEY (customer, grant_id)
);
CREATE UNIQUE INDEX access_grant_id ON access_grant (grant_id);
CREATE INDEX access_grant_client ON access_grant (client);

CREATE TABLE code (
  hash TEXT NOT NULL PRIMARY KEY,
  grant_id TEXT NOT NULL,
  client TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  redirect_given BIGINT NOT NULL,      -- 1 when the authorization request named it, so the token request must too
  challenge TEXT NOT NULL,
  resource TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT                       -- redeemed, or spoiled by a wrong verifier
);
CREATE INDEX code_expires ON code (expires_at);

CREATE TABLE token (
  hash TEXT NOT NULL PRIMARY KEY,
  grant_id TEXT NOT NULL,
  kind TEXT NOT NULL,                  -- access | refresh
  scopes TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  rotated_at BIGINT,                   -- a refresh token that has been exchanged; kept until it expires, to notice reuse
  revoked_at BIGINT                    -- this token alone; the family ends with its grant
);
CREATE INDEX token_grant ON token (grant_id);
CREATE INDEX token_expires ON token (expires_at);

CREATE TABLE session (
  hash TEXT NOT NULL PRIMARY KEY,
  session TEXT NOT NULL,
  customer TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX session_customer ON session (customer);
CREATE INDEX session_expires ON session (expires_at);

-- Counted tries in a window: sign-ins and registrations. A key is a hash, never an address or an e-mail.
CREATE TABLE attempt (
  key TEXT NOT NULL PRIMARY KEY,
  opened_at BIGINT NOT NULL,
  closes_at BIGINT NOT NULL,
  tries BIGINT NOT NULL
);
CREATE INDEX attempt_closes ON attempt (closes_at);
