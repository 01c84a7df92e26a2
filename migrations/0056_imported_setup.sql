-- What the last import of a set-up brought: the next one compares the site and the folder with it.
create table imported_setup (
  kind text not null,
  id text not null,
  position integer not null,
  data jsonb not null,
  -- The file of the set-up that it is from, for reports.
  file text not null,
  primary key (kind, id)
);
