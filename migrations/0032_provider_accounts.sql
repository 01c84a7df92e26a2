-- Users as an OpenID provider knows them.
create table provider_account (
  issuer text not null,
  subject text not null,
  account text not null references account (id) on delete cascade,
  -- What the last login gave by its claims, so that the next one can take it away again.
  roles text[] not null default '{}',
  groups text[] not null default '{}',
  primary key (issuer, subject)
);
create index provider_account_account on provider_account (account);
