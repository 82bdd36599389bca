-- Shares that show their blob only to who knows a passcode. Their token is a hash of the hash of the address's secret, so
-- that a host that knows nothing of passcodes finds none of them.

ALTER TABLE share ADD COLUMN passcode TEXT;      -- a PHC string of argon2id; none: who has the address sees the blob
