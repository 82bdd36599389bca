-- Blobs that anybody with the address may see. Times are epoch milliseconds.

CREATE TABLE share (
  customer TEXT NOT NULL,
  share TEXT NOT NULL,
  module TEXT NOT NULL,
  token TEXT NOT NULL,                 -- SHA-256 of the secret in the address
  blob_key TEXT NOT NULL,
  media_type TEXT NOT NULL,
  file_name TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,                     -- when it was taken back
  views BIGINT NOT NULL,
  PRIMARY KEY (customer, share)
);
CREATE UNIQUE INDEX share_token ON share (token);
