-- Releases (features/releases)

-- A named set of changes that goes live at once.
create table release (
  id text primary key,
  title text not null,
  description text not null,
  -- Null once the user is gone.
  creator text references account (id) on delete set null,
  created timestamptz not null,
  -- When somebody changed it or its parts last.
  changed timestamptz not null,
  state text not null default 'draft' check (state in ('draft', 'scheduled', 'failed', 'published', 'undone')),
  -- The number of the next part.
  next_part integer not null default 0,
  -- When it is to go live, in whose name, and the side that counts at conflicts; null unless it is scheduled or has failed.
  at timestamptz,
  scheduled_by text references account (id) on delete set null,
  prefer text check (prefer in ('mine', 'theirs')),
  -- The address of the site that references in its parts have.
  base text,
  -- When it is tried next, and how often it was tried.
  due timestamptz,
  attempts integer not null default 0,
  -- Why it has failed: JSON.
  problem jsonb,
  published timestamptz,
  published_by text references account (id) on delete set null,
  -- The recorded transactions that it went live by, by which it is undone.
  transactions bigint[] not null default '{}',
  undone timestamptz,
  undone_by text references account (id) on delete set null,
  constraint release_scheduled check (state <> 'scheduled' or (at is not null and due is not null and base is not null)),
  constraint release_published check ((state in ('published', 'undone')) = (published is not null))
);
create index release_state on release (state, created desc, id);
create index release_due on release (due) where state = 'scheduled';
create index release_creator on release (creator);
create index release_scheduled_by on release (scheduled_by);
create index release_published_by on release (published_by);
create index release_undone_by on release (undone_by);

-- The parts of a release: requests in the order of their numbers. `request` is JSON as a text, because bodies may have characters that jsonb does
-- not take.
create table release_part (
  release text not null references release (id) on delete cascade,
  number integer not null,
  request text not null,
  -- A part of the set-up of the site, which only those see who may change it.
  is_setup boolean not null,
  -- Null once the user is gone.
  author text references account (id) on delete set null,
  added timestamptz not null,
  primary key (release, number)
);
create index release_part_author on release_part (author);

-- The objects that the parts touch, with their state when the part was added. Content may go, and come back under its UID.
create table release_target (
  release text not null,
  number integer not null,
  uid text not null,
  path text collate "C" not null,
  kind text not null check (kind in ('add', 'change', 'remove', 'transition', 'view')),
  modified timestamptz not null,
  primary key (release, number, uid, kind),
  foreign key (release, number) references release_part (release, number) on delete cascade
);

-- Links that show the site as it would be with a release.
create table release_link (
  id text primary key,
  release text not null references release (id) on delete cascade,
  title text not null,
  creator text not null references account (id) on delete cascade,
  hash text not null unique,
  created timestamptz not null,
  expires timestamptz not null
);
create index release_link_release on release_link (release, created desc);
create index release_link_creator on release_link (creator);
