-- What caches outside are still to be told. One row stands for the changes since the last look, for one cache.
create table cache_purge (
  id bigint generated always as identity primary key,
  -- The address of the cache.
  proxy text not null,
  -- Names of what responses were made of, which the cache is to forget.
  tags text[] not null,
  -- Addresses that it is to forget, from the root of the site.
  paths text[] not null,
  -- It is told twice: 2 when it has been told once.
  round integer not null default 1,
  attempts integer not null default 0,
  -- What the cache said to the last attempt; null before one has failed.
  error text,
  created timestamptz not null default now(),
  -- Not before this time; while a process tells it, the time at which another one may try.
  due timestamptz not null
);
create index cache_purge_due on cache_purge (due, id);
create index cache_purge_proxy on cache_purge (proxy);

-- Up to where changes have become rows of cache_purge, and when a process looked last.
create table cache_purge_cursor (
  single boolean primary key default true check (single),
  snapshot text not null,
  looked timestamptz not null
);

-- The token that providers of caches want, encrypted.
create table cache_purge_token (
  id text primary key,
  secret text not null
);
