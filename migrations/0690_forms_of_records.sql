-- A module may give its records another form. Those that are there stay as they are, and are brought into it whenever the
-- module reads them. Their keys in an index that is over the later form are computed once, by the module, and kept here too:
-- whoever changes such a record cannot compute them. An index over a later form than the first has for its fields, in
-- stored_index, `{"fields": […], "form": 2}`.

CREATE TABLE record_key (
  customer TEXT NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  place TEXT NOT NULL,                 -- as in record_index
  key TEXT NOT NULL,
  PRIMARY KEY (customer, collection, id, place)
);

-- Records that a run of an older revision wrote since: they have no key in the indexes over this form yet.
CREATE TABLE record_unkeyed (
  customer TEXT NOT NULL,
  collection TEXT NOT NULL,
  form BIGINT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (customer, collection, form, id)
);
CREATE INDEX record_unkeyed_form ON record_unkeyed (collection, form);
