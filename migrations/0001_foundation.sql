-- The tree of content. One row an object; the site root is the row without a parent.
create table content (
  oid bigint generated always as identity primary key,
  uid text not null unique,
  parent bigint references content (oid) on delete cascade,
  -- The id within the parent; 'root' for the site root.
  name text not null,
  -- Materialised: '/' for the root, else '/a/b'. Byte order, so that a subtree is one range of the index.
  path text collate "C" not null unique,
  -- Order within the parent, with gaps: a reorder changes one row.
  position double precision not null default 0,
  type text not null,
  review_state text,
  owner text not null,
  language text,
  layout text,
  created timestamptz not null,
  modified timestamptz not null,
  effective timestamptz,
  expires timestamptz,
  -- principal id -> roles given here, and whether those given above count here.
  local_roles jsonb not null default '{}',
  inherit_roles boolean not null default true,
  -- permission -> {roles, acquire}, where this object differs from its workflow state.
  local_permissions jsonb,
  -- Types that may be added here, where a container is constrained: {locally_allowed, immediately_addable}.
  constrains jsonb,
  lock jsonb,
  default_page text,
  translation_group text,
  fields jsonb not null default '{}',
  constraint content_name_unique unique (parent, name),
  constraint content_one_root check ((parent is null) = (path = '/'))
);
create unique index content_single_root on content ((true)) where parent is null;
create index content_children on content (parent, position);
create index content_translation_group on content (translation_group) where translation_group is not null;

-- What lists and searches need of each object, kept in the transaction of the write.
create table catalog (
  oid bigint primary key references content (oid) on delete cascade,
  -- Who may view the object: role:<Role>, user:<id>, group:<id>.
  allowed text[] not null,
  searchable tsvector not null default ''::tsvector,
  exclude_from_nav boolean not null default false
);
create index catalog_allowed on catalog using gin (allowed);
create index catalog_searchable on catalog using gin (searchable);

-- References from content to content, by UID: relation fields under their own name, links as isReferencing.
create table reference (
  source bigint not null references content (oid) on delete cascade,
  relation text not null,
  position integer not null,
  target text not null,
  primary key (source, position)
);
create index reference_target on reference (target);

-- Old addresses. Automatic ones name the object, manual ones may name any address.
create table redirect (
  path text collate "C" primary key,
  target bigint references content (oid) on delete cascade,
  target_url text,
  manual boolean not null default false,
  created timestamptz not null default now(),
  constraint redirect_one_target check ((target is null) <> (target_url is null))
);
create index redirect_target on redirect (target);

create table workflow_history (
  id bigint generated always as identity primary key,
  content bigint not null references content (oid) on delete cascade,
  workflow text not null,
  -- null for the entry that creation makes.
  action text,
  actor text not null,
  comments text not null default '',
  review_state text not null,
  at timestamptz not null
);
create index workflow_history_content on workflow_history (content, id);

create table comment (
  id text primary key,
  content bigint not null references content (oid) on delete cascade,
  in_reply_to text references comment (id) on delete cascade,
  body text not null,
  mime_type text not null default 'text/plain',
  author text,
  author_name text not null default '',
  created timestamptz not null,
  modified timestamptz not null
);
create index comment_content on comment (content, created);

create table account (
  id text primary key,
  login text not null unique,
  -- A PHC string or an imported hash; null when the account has no password yet.
  password text,
  fullname text not null default '',
  email text not null default '',
  roles text[] not null default '{}',
  properties jsonb not null default '{}',
  created timestamptz not null default now(),
  -- Tokens issued earlier are worth nothing.
  tokens_valid_from timestamptz not null default 'epoch'
);

create table principal_group (
  id text primary key,
  title text not null default '',
  description text not null default '',
  email text not null default '',
  roles text[] not null default '{}'
);

create table group_member (
  group_id text not null references principal_group (id) on delete cascade,
  member_id text not null,
  is_group boolean not null default false,
  primary key (group_id, member_id, is_group)
);
create index group_member_member on group_member (member_id, is_group);

create table signing_key (
  id text primary key,
  secret text not null,
  created timestamptz not null default now()
);

create table issued_token (
  id text primary key,
  account text not null references account (id) on delete cascade,
  expires timestamptz
);
create index issued_token_expires on issued_token (expires);

create table login_failure (
  account text not null,
  address text not null,
  at timestamptz not null default now()
);
create index login_failure_account on login_failure (account, at);
create index login_failure_address on login_failure (address, at);
create index login_failure_at on login_failure (at);

-- What makes a site this site: types, behaviors, workflows, roles, permissions, settings, actions.
create table configuration (
  kind text not null,
  id text not null,
  position integer not null default 0,
  data jsonb not null,
  primary key (kind, id)
);

-- Counters and versions of the site as a whole.
create table site_state (
  name text primary key,
  value text not null
);
insert into site_state values ('configuration', '1');

-- How far an import has come, so that an interrupted one goes on where it stopped.
create table import_progress (
  source text not null,
  uid text not null,
  content bigint references content (oid) on delete cascade,
  primary key (source, uid)
);
