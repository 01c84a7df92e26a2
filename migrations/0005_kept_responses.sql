-- The responses to writes that had an Idempotency-Key. `id` is a digest of the key and of its caller; `fingerprint` is one of the request,
-- whose body had so many `bytes`.
create table kept_response (
  id text primary key,
  fingerprint text not null,
  bytes bigint not null,
  response text not null,
  created timestamptz not null default now()
);
create index kept_response_created on kept_response (created);
