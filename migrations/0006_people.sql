-- The picture of a user, described as a field of content describes its file.
alter table account add column portrait jsonb;
create index account_email on account (lower(email));

-- Links by which a password can be set. The token itself is in the mail only; here is its SHA-256.
create table password_reset (
  token_hash text primary key,
  account text not null references account (id) on delete cascade,
  created timestamptz not null,
  expires timestamptz not null
);
create index password_reset_account on password_reset (account, created);
create index password_reset_expires on password_reset (expires);

-- What strangers asked for that costs something, such as a mail: counted by network.
create table visitor_request (
  kind text not null,
  address text not null,
  at timestamptz not null
);
create index visitor_request_address on visitor_request (kind, address, at);
create index visitor_request_at on visitor_request (at);

-- Mails to be sent after the commit of what caused them. `data` is a whole mail, or what one is made of when it is sent.
create table mail_outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  data jsonb not null,
  attempts integer not null default 0,
  -- Not before this time; while a process sends the mail, the time at which another one may try.
  due timestamptz not null,
  expires timestamptz not null
);
create index mail_outbox_due on mail_outbox (due, id);
create index mail_outbox_expires on mail_outbox (expires);
