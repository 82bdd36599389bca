-- The revision and the component that a job began with: its later steps run on the same one.
ALTER TABLE job ADD COLUMN began_with TEXT;
