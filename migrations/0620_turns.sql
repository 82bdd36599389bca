-- Whose turn it is at a host of the outside: one clock for each host, shared by all nodes, calls and jobs. It says when
-- the host is free again and not by whom it was asked.
CREATE TABLE host_turn (
  host TEXT NOT NULL PRIMARY KEY,
  free_at BIGINT NOT NULL              -- when everything that was let in is paced out (the theoretical arrival time)
); -- clustered
CREATE INDEX host_turn_free ON host_turn (free_at);
