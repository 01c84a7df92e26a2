-- The second factor that a user has set up; null for none. A password alone does not log in with one.
alter table account add column second_factor text;

-- The key that secrets are encrypted with which the site has to read again, together with the setting SECRETS_KEY.
create table secret_key (
  id text primary key,
  secret text not null
);

-- Codes by the time (RFC 6238), as an app of the user makes them.
create table totp (
  account text primary key references account (id) on delete cascade,
  -- Encrypted.
  secret text not null,
  -- Null until a code has shown that the app knows the secret.
  confirmed timestamptz,
  -- The last step of time whose code was used: each works once.
  last_step bigint not null default 0,
  -- SHA-256 of the codes that work once each instead of one of the app.
  recovery text[] not null default '{}'
);
