-- Rows go with their content, and come back with it from the recycle bin.
create table example_rating (
  oid bigint not null references content on delete cascade,
  account text not null,
  stars integer not null,
  given timestamptz not null default now(),
  primary key (oid, account)
);
