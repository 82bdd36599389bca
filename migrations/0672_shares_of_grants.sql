-- Shares that end with the access they were made with, and the order in which a customer reads all of its shares.

ALTER TABLE share ADD COLUMN grant_id TEXT;
CREATE INDEX share_created ON share (customer, created_at);
