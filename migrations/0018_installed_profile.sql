-- What the profile brought when the site was made or last upgraded: what the site has changed by itself differs from it.
create table installed_profile (
  kind text not null,
  id text not null,
  position integer not null,
  data jsonb not null,
  -- The file of the profile that it is from, for reports.
  file text not null,
  primary key (kind, id)
);
