-- Who used a session and since when, for its user; and the sessions of one user, found at once.
alter table issued_token
  add column issued timestamptz not null default now(),
  add column network text not null default '',
  add column agent text not null default '';
create index issued_token_account on issued_token (account, issued);
