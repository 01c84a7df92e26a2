-- Users who cannot log in any more, since when.
alter table account add column disabled timestamptz;

-- When each user logged in last. A table of its own, because no response in memory depends on it.
create table account_login (
  account text primary key references account (id) on delete cascade,
  at timestamptz not null
);
