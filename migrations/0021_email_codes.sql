-- Codes that were mailed to an address, with which visitors show that it is theirs when they send a form.
create table email_code (
  -- UID of the page. No reference: a code lives for some minutes.
  page text not null,
  block text not null,
  address text not null,
  -- A hash as of a password: codes are short.
  code_hash text not null,
  expires timestamptz not null,
  -- How often somebody has tried a code.
  attempts integer not null default 0,
  primary key (page, block, address)
);
create index email_code_expires on email_code (expires);
