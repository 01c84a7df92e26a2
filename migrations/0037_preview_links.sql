-- Links that show content to whoever has them, as far as their creator may view it.
create table preview_link (
  id text primary key,
  content bigint not null references content (oid) on delete cascade,
  -- Whether everything below is shown, too.
  subtree boolean not null,
  creator text not null references account (id) on delete cascade,
  title text not null,
  -- SHA-256 of the token. A plain digest is enough, because tokens are random.
  hash text not null unique,
  created timestamptz not null,
  expires timestamptz not null
);
create index preview_link_content on preview_link (content, created);

-- When a link was used last.
create table preview_link_use (
  link text primary key references preview_link (id) on delete cascade,
  used timestamptz not null
);
