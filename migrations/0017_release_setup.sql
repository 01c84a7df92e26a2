-- What a release has changed in the set-up, by which that is undone: a list of recorded transactions, each with pieces of the configuration as they
-- were before and after it. Null for releases that are not published, and for
-- those that an earlier version has published.
alter table release add column setup jsonb;
