-- What the trail says only as a commitment: SHA-256(salt ‖ text). A line stays true when its disclosure is gone.

CREATE TABLE audit_disclosure (
  customer TEXT NOT NULL,
  commitment TEXT NOT NULL,            -- hex, as the line has it
  salt TEXT NOT NULL,                  -- 16 random bytes, in hex
  text TEXT NOT NULL,
  PRIMARY KEY (customer, commitment)
);
