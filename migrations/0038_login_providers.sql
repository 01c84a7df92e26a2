-- The secrets of providers that the site itself describes, encrypted: their other settings are in the configuration.
create table login_provider_secret (
  provider text primary key,
  secret text not null
);

-- Logins with a provider that have come back: each does so once.
create table spent_login (
  state text primary key,
  spent timestamptz not null
);
create index spent_login_spent on spent_login (spent);
