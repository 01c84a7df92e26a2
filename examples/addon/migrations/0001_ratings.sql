-- Rows go with their content, and come back with it from the recycle bin.
create table example_rating (
  oid bigint not null references content on delete cascade,
  account text not null,
  stars integer not null,
  given timestamptz not null default now(),
  primary key (oid, account)
);

-- Responses that the server gives from its memory show ratings: a change of them counts as a change of the site.
create trigger example_rating_change after insert or update or delete or truncate on example_rating
  for each statement execute function note_site_change();
