-- Which bytes of a revision were put in force: a way back leads to them, also where a draft was replaced under its own date.
ALTER TABLE serving ADD COLUMN digest TEXT;
