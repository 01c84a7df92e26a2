-- Personal access tokens: what a user gives to a program, so that it can act in the user's name.
create table access_token (
  id text primary key,
  account text not null references account (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token. A plain digest is enough, because tokens are random.
  hash text not null unique,
  -- Null: all methods.
  methods text[],
  -- UIDs of the content that it is good for, with what is below. Null: the whole site.
  subtrees text[],
  created timestamptz not null,
  -- Null: never.
  expires timestamptz
);
create index access_token_account on access_token (account, created);
create trigger access_token_change after insert or update or delete or truncate on access_token
  for each statement execute function note_site_change();

-- When a token was used last. A table of its own, because no response in memory depends on it.
create table access_token_use (
  token text primary key references access_token (id) on delete cascade,
  used timestamptz not null,
  network text not null
);
