-- The schema of the first release, 0.1.0. The tables of the core come first, those of features after them by the name of the feature.
-- The start adds triggers for the tables whose features ask for them (docs/decisions/0006-response-cache.md).

-- Change feed (core/cache)

-- Which transactions have changed what responses are made of: a process compares with what it has seen before it sends a cached
-- response. A row without objects stands for a change of anything. `containers` are those whose lists of children may be others.
-- Processes remove the rows of transactions that all of them must have seen.
create table site_change (
  xid xid8 not null,
  objects bigint[],
  containers bigint[]
);
create index site_change_xid on site_change (xid);
create unique index site_change_anything on site_change (xid) where objects is null;

-- The process that has the lease of writing: it needs no query to find out whether others have changed something. Other writers wait
-- until it has given the lease up (docs/decisions/0013-write-lease.md).
create table write_lease (
  process text primary key,
  -- The process as the operating system identifies it: the next process on the same machine sees that it has ended, and need not
  -- wait. Null on systems that do not say.
  running_as text
);

-- Each transaction that changes the site calls this before its first change. One lock shows that a writer is active, which keeps a
-- lease from being taken; the other one shows that a writer without the lease is active, which keeps a lease from being renewed. A
-- process that has not given up within two and a half seconds has ended, because it trusts its lease for two at most.
create function await_write_lease() returns void language plpgsql as $$
declare
  holder text;
begin
  perform pg_advisory_xact_lock_shared(4072026004);
  select process into holder from write_lease;
  if holder = current_setting('application_name') then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(4072026005);
  for attempt in 1..50 loop
    select process into holder from write_lease;
    if not found then
      return;
    end if;
    perform pg_sleep(0.05);
  end loop;
  delete from write_lease where process in (select process from write_lease where process = holder for update skip locked);
end
$$;

-- Notes a change of anything. `noted` is the value of the setting `canopy.noted`, which lasts as long as the transaction: `anything`,
-- or the number of notes with the objects and the containers of them all; empty before the first. Each statement that writes asks
-- whether its change is noted, and to look that up in site_change costs more than to note it. A setting is rolled back with a
-- savepoint, as the rows are.
create function note_anything(noted text) returns void language plpgsql as $$
begin
  if noted = 'anything' then
    return;
  end if;
  if noted = '' then
    perform await_write_lease();
  end if;
  noted := set_config('canopy.noted', 'anything', true);
  insert into site_change (xid) values (pg_current_xact_id()) on conflict (xid) where objects is null do nothing;
end
$$;

create function note_site_change() returns trigger language plpgsql as $$
begin
  perform note_anything(coalesce(current_setting('canopy.noted', true), ''));
  return null;
end
$$;

-- Notes changes of objects. More than fifty count as a change of anything, so that a transaction has few rows for its readers.
create function note_changed_objects(changed bigint[], lists bigint[]) returns void language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  notes int := 0;
  objects bigint[] := '{}';
  containers bigint[] := '{}';
begin
  if changed is null or noted = 'anything' then
    return;
  end if;
  if noted <> '' then
    notes := split_part(noted, ' ', 1);
    objects := split_part(noted, ' ', 2);
    containers := split_part(noted, ' ', 3);
    if objects @> changed and containers @> lists then
      return;
    end if;
  end if;
  if cardinality(changed) > 50 or notes >= 50 then
    perform note_anything(noted);
    return;
  end if;
  if noted = '' then
    perform await_write_lease();
  end if;
  noted := set_config('canopy.noted', concat_ws(' ', notes + 1, objects || changed, containers || lists), true);
  insert into site_change (xid, objects, containers) values (pg_current_xact_id(), changed, lists);
end
$$;

-- Notes a change of the objects whose numbers are in the column that the trigger names: rows that hang on content, such as comments.
-- A row without a number, and more than a thousand rows at once, are a change of anything.
create function note_object_change() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  amount int;
  objects bigint[];
begin
  if noted = 'anything' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    select count(*), array_agg(distinct (to_jsonb(r)->>tg_argv[0])::bigint) into amount, objects
      from ((select * from was_there limit 501) union all (select * from now_there limit 501)) r;
  elsif tg_op = 'DELETE' then
    select count(*), array_agg(distinct (to_jsonb(r)->>tg_argv[0])::bigint) into amount, objects
      from (select * from was_there limit 1001) r;
  else
    select count(*), array_agg(distinct (to_jsonb(r)->>tg_argv[0])::bigint) into amount, objects
      from (select * from now_there limit 1001) r;
  end if;
  if amount > 1000 or array_position(objects, null) is not null then
    perform note_anything(noted);
  elsif amount > 0 then
    perform note_changed_objects(objects, '{}');
  end if;
  return null;
end
$$;

-- Content (core/content)

-- The tree. One row an object; the site root is the row without a parent.
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
-- A listing of some types below a path is read from this index alone, however large the objects are.
create index content_type_path on content (type, path) include (oid, effective, expires);
create index content_name on content (name);
create index content_owner on content (owner);
create index content_created on content (created);
create index content_modified on content (modified);
-- Objects without a date of publication come where the earliest one would.
create index content_effective on content (effective nulls first);
-- When content is next hidden or shown by the time alone.
create index content_expires on content (expires) where expires is not null;
create index content_locked on content (oid) where lock is not null;
-- A group of translations has one object in each language.
create unique index content_translation on content (translation_group, language) where translation_group is not null;

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
  -- Null for the entry that creation makes.
  action text,
  actor text not null,
  comments text not null default '',
  review_state text not null,
  at timestamptz not null
);
create index workflow_history_content on workflow_history (content, id);

-- Catalog (core/search)

-- What lists and searches need of each object, written in the transaction of the change.
create table catalog (
  oid bigint primary key references content (oid) on delete cascade,
  -- Who may view the object: role:<Role>, user:<id>, group:<id>.
  allowed text[] not null,
  searchable tsvector not null default ''::tsvector,
  exclude_from_nav boolean not null default false,
  -- The title for sorting: small letters without accents, numbers padded.
  sortable_title text collate "C" not null default '',
  subjects text[] not null default '{}',
  block_types text[] not null default '{}',
  -- When an event begins and ends, one point for each time that it takes place.
  starts tstzmultirange,
  ends tstzmultirange,
  -- Values of fields and of the indexes that types and add-ons declare, by name. It has all fields, so that an index that is
  -- declared later needs no reindex.
  custom jsonb not null default '{}',
  -- Who may view it before and after its dates of publication, on sites where these act.
  inactive_allowed text[] not null default '{}'
);
create index catalog_allowed on catalog using gin (allowed);
create index catalog_searchable on catalog using gin (searchable);
create index catalog_subjects on catalog using gin (subjects) with (fastupdate = off);
create index catalog_block_types on catalog using gin (block_types) with (fastupdate = off);
create index catalog_custom on catalog using gin (custom jsonb_path_ops) with (fastupdate = off);
create index catalog_starts on catalog using gist (starts) where starts is not null;
create index catalog_ends on catalog using gist (ends) where ends is not null;
-- Whole sites are listed in this order.
create index catalog_sortable_title on catalog (sortable_title);
-- Suggestions are found by words of titles: an index of these alone is small and quick.
create index catalog_title_words on catalog using gin (to_tsvector('simple', sortable_title));

-- Values of `catalog.custom` in the form in which ranges of them are searched: one row for each number and each short text. An index
-- of jsonb finds single values only.
create table catalog_value (
  oid bigint not null references catalog (oid) on delete cascade,
  -- The field, or the index of an add-on.
  name text collate "C" not null,
  number double precision,
  text text collate "C",
  -- The point in time that the text names, if it does.
  at timestamptz,
  primary key (oid, name)
);
create index catalog_value_number on catalog_value (name, number) where number is not null;
create index catalog_value_text on catalog_value (name, text) where text is not null;
create index catalog_value_at on catalog_value (name, at) where at is not null;

-- Files (core/files)

-- The texts of files, by the hash of their bytes: copies, versions and restored content have them at once. The hash is binary, so
-- that it does not count as a reference that keeps the file.
create table file_text (
  hash bytea primary key,
  -- How the text is read.
  format text not null,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'failed')),
  -- How often it was begun.
  attempts integer not null default 0,
  noted timestamptz not null default clock_timestamp(),
  text text,
  -- The words of the text with their places, as a text of type tsvector, and each once for its stem.
  words text,
  stems text,
  -- Why there is no text.
  reason text
);
create index file_text_waiting on file_text (attempts, noted) where state = 'waiting';

-- People (core/people)

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
  -- Tokens that were issued earlier are invalid.
  tokens_valid_from timestamptz not null default 'epoch',
  -- The picture of the user, described as a field of content describes its file.
  portrait jsonb,
  -- Since when the user cannot log in; null for users who can.
  disabled timestamptz,
  -- The second factor that the user has set up; null for none. A password alone does not log in with one.
  second_factor text
);
create index account_email on account (lower(email));

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

-- The key that encrypts secrets which the site has to read again, together with the setting SECRETS_KEY.
create table secret_key (
  id text primary key,
  secret text not null
);

create table issued_token (
  id text primary key,
  account text not null references account (id) on delete cascade,
  expires timestamptz,
  -- Where and since when the session is used, for its user.
  issued timestamptz not null default now(),
  network text not null default '',
  agent text not null default ''
);
create index issued_token_expires on issued_token (expires);
create index issued_token_account on issued_token (account, issued);

create table login_failure (
  account text not null,
  address text not null,
  at timestamptz not null default now()
);
create index login_failure_account on login_failure (account, at);
create index login_failure_address on login_failure (address, at);
create index login_failure_at on login_failure (at);

-- Requests of visitors that cost something, such as a mail: counted by network.
create table visitor_request (
  kind text not null,
  address text not null,
  at timestamptz not null
);
create index visitor_request_address on visitor_request (kind, address, at);
create index visitor_request_at on visitor_request (at);

-- Configuration (core/configuration, core/profiles)

-- What makes a site this site: types, behaviors, workflows, roles, permissions, settings, actions.
create table configuration (
  kind text not null,
  id text not null,
  position integer not null default 0,
  data jsonb not null,
  primary key (kind, id)
);

-- What the profile brought when the site was made or last upgraded: what the site has changed by itself differs from it.
create table installed_profile (
  kind text not null,
  id text not null,
  position integer not null,
  data jsonb not null,
  -- The file of the profile that it is from, for reports.
  file text not null,
  primary key (kind, id)
);

-- What the last import of a set-up brought: the next one compares the site and the folder with it.
create table imported_setup (
  kind text not null,
  id text not null,
  position integer not null,
  data jsonb not null,
  -- The file of the set-up that it is from, for reports.
  file text not null,
  primary key (kind, id)
);

-- Counters and versions of the site as a whole.
create table site_state (
  name text primary key,
  value text not null
);
insert into site_state values ('configuration', '1');

-- Queue (core/queue)

-- Work that waits for any process: mails, requests of rules to other systems, purges of caches. A row is written in the transaction
-- that asks for the work, is taken by one process at a time, and is deleted when the work is done or given up.
create table queue_item (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What the work of a kind is grouped by: how a mail is made, the rule of a request (it may be gone), the address of a cache.
  topic text not null,
  data jsonb not null,
  attempts integer not null default 0,
  -- Why the last attempt failed; null before one has failed.
  error text,
  created timestamptz not null default clock_timestamp(),
  -- Not before this time; while a process has it, the time at which another one may take it.
  due timestamptz not null default clock_timestamp(),
  -- When it is given up; null for work that is tried until it is done.
  expires timestamptz
);
create index queue_item_due on queue_item (kind, due, id);
create index queue_item_topic on queue_item (kind, topic);
create index queue_item_expires on queue_item (kind, expires) where expires is not null;

-- Personal access tokens (features/access-tokens)

create table access_token (
  id text primary key,
  account text not null references account (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token. A plain digest is enough, because tokens are random.
  hash text not null unique,
  -- Null: all methods.
  methods text[],
  -- UIDs of the content that it is good for, with what is below. Null: the whole site.
  subtrees text[],
  created timestamptz not null,
  -- Null: never.
  expires timestamptz
);
create index access_token_account on access_token (account, created);

-- When a token was used last. A table of its own, because no cached response depends on it.
create table access_token_use (
  token text primary key references access_token (id) on delete cascade,
  used timestamptz not null,
  network text not null
);

-- Language model (features/ai)

-- Questions to the language model, for the limits of each caller: those of the last hour, and those that are being answered.
create table model_use (
  caller text primary key,
  asked timestamptz[] not null,
  answering timestamptz[] not null,
  latest timestamptz not null
);
create index model_use_latest on model_use (latest);

-- Audit log (features/audit-log)

-- Who did what, when and from where. Rows are only added, and removed when they are older than the site keeps them.
create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Of entries that stand for several: the last of them, and how many.
  last_at timestamptz,
  count integer not null default 1,
  -- What the entries that are counted together have in common; null for all others.
  counted_by text unique,
  -- Id of the user; empty for visitors, and for the server itself.
  actor text not null,
  -- Address of the client; null for work of the server itself.
  client_address text,
  action text collate "C" not null,
  -- Number of the object, where it is content; it may be gone.
  content bigint,
  path text collate "C" not null,
  -- Id of a thing that is no content, such as a user.
  name text not null,
  -- Names of what was changed, and where from; never values that may be secret.
  data jsonb not null
);
create index audit_entry_at on audit_entry (at);
create index audit_entry_actor on audit_entry (actor, id);
create index audit_entry_action on audit_entry (action, id);
create index audit_entry_address on audit_entry (client_address, id);
create index audit_entry_content on audit_entry (content, id);
create index audit_entry_path on audit_entry (path, id);

-- Caches outside (features/caching)

-- Up to where changes have become purges in the queue, and when a process looked last.
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

-- Comments (features/comments)

create table comment (
  id text primary key,
  content bigint not null references content (oid) on delete cascade,
  in_reply_to text references comment (id) on delete cascade,
  body text not null,
  mime_type text not null default 'text/plain',
  author text,
  author_name text not null default '',
  created timestamptz not null,
  modified timestamptz not null,
  -- `published`, or `pending` and `rejected`, which only reviewers see.
  review_state text not null default 'published'
);
create index comment_content on comment (content, created);
create index comment_in_reply_to on comment (in_reply_to);

-- Content rules (features/content-rules)

-- What the site does by itself when something happens to content, users or comments.
create table content_rule (
  id text primary key,
  -- The order in which rules are listed.
  number bigint generated always as identity,
  title text not null,
  description text not null,
  -- The event that it follows on, such as onAfterAdd.
  event text not null,
  enabled boolean not null,
  -- No further rule runs after it.
  stop boolean not null,
  -- Its actions may start other rules.
  cascading boolean not null,
  -- Lists of {type, values}, in order.
  conditions jsonb not null,
  actions jsonb not null,
  -- How often it has failed.
  failures bigint not null default 0
);

-- Where rules apply. Copies of a folder do not have those of the original.
create table content_rule_assignment (
  content bigint not null references content (oid) on delete cascade,
  rule text not null references content_rule (id) on delete cascade,
  position integer not null,
  enabled boolean not null,
  -- It applies below the folders of the folder, too.
  bubbles boolean not null,
  primary key (content, rule)
);
create index content_rule_assignment_rule on content_rule_assignment (rule);

-- The last failures of each rule.
create table content_rule_failure (
  id bigint generated always as identity primary key,
  rule text not null references content_rule (id) on delete cascade,
  at timestamptz not null,
  path text not null,
  message text not null
);
create index content_rule_failure_rule on content_rule_failure (rule, id);

-- Messages of rules to users.
create table notification (
  id bigint generated always as identity primary key,
  account text not null references account (id) on delete cascade,
  at timestamptz not null,
  kind text not null,
  message text not null,
  path text not null
);
create index notification_account on notification (account, id);

-- Forms (features/forms)

-- What visitors have sent with the form blocks of content. It is apart from the content: not in its fields, versions, catalog.
create table form_submission (
  id bigint generated always as identity primary key,
  content bigint not null references content (oid) on delete cascade,
  -- The id of the block. The block may be gone.
  block text not null,
  created timestamptz not null,
  -- Days after which it is deleted, as the block said then; null for never. While the block exists, its own number counts.
  days double precision,
  -- The fields of the form that have values, in its order: [{"id", "label", "form"}].
  fields jsonb not null,
  data jsonb not null
);
create index form_submission_block on form_submission (content, block, id);
create index form_submission_created on form_submission (created) where days is not null;

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

-- History (features/history)

-- Versions of content. `content` has the present state of an object; a version has the values that were replaced since.
create table version (
  content bigint not null references content (oid) on delete cascade,
  number integer not null,
  -- When, by whom and with which note the version came to be.
  at timestamptz not null,
  actor text not null,
  note text not null default '',
  -- Names of what the edit changed.
  fields text[] not null default '{}',
  -- Field -> stored value of this version, for each field that was changed after it and before the next version.
  replaced jsonb not null default '{}',
  primary key (content, number)
);

-- Imports (features/import)

-- How far an import has come, so that an interrupted one goes on where it stopped.
create table import_progress (
  source text not null,
  uid text not null,
  content bigint references content (oid) on delete cascade,
  primary key (source, uid)
);
create index import_progress_content on import_progress (content);

-- Jobs (features/jobs)

-- Work in the background. A row is written in the transaction that asks for the work, and taken by one process at a time.
create table job (
  number bigint generated always as identity primary key,
  id uuid not null unique,
  action text not null,
  params jsonb not null,
  title text not null,
  description text not null,
  -- The scheduled job that it was started by. It may be gone.
  scheduled_job text,
  -- Who asked for it; null for the clock. No reference: the work is done when the account is gone, too.
  actor text,
  -- It has the rights of a Manager, else those that the actor has when it runs.
  as_system boolean not null,
  -- No other job of its action runs at the same time.
  exclusive boolean not null,
  status text not null default 'created',
  created timestamptz not null default clock_timestamp(),
  started timestamptz,
  finished timestamptz,
  done bigint,
  total bigint,
  result jsonb,
  error text,
  -- How often it was taken. With `worker` it tells the present worker from earlier ones.
  attempts integer not null default 0,
  worker uuid,
  abort_requested boolean not null default false,
  -- How far it is, so that another process can go on from there.
  checkpoint jsonb,
  -- Not before this time; while a worker has it, the time at which another one may take it.
  due timestamptz not null default clock_timestamp(),
  constraint job_status check (status in ('created', 'running', 'completed', 'failed', 'aborted')),
  constraint job_finished check ((finished is not null) = (status in ('completed', 'failed', 'aborted'))),
  constraint job_held check ((status = 'running') = (worker is not null))
);
create index job_open on job (number) where finished is null;
create index job_closed on job (finished) where finished is not null;
create unique index job_running_alone on job (action) where exclusive and status = 'running';

-- Jobs that start by the clock, in UTC.
create table scheduled_job (
  id text primary key,
  title text not null,
  description text not null,
  enabled boolean not null,
  action text not null,
  params jsonb not null,
  schedule text not null,
  -- When it starts next; null while it is switched off.
  next_run timestamptz,
  constraint scheduled_job_waits check (enabled = (next_run is not null))
);
create index scheduled_job_due on scheduled_job (next_run) where next_run is not null;

-- Logins with providers (features/openid)

-- Users as an OpenID provider identifies them.
create table provider_account (
  issuer text not null,
  subject text not null,
  account text not null references account (id) on delete cascade,
  -- Roles and groups that the last login gave by its claims, so that the next one can take them away again.
  roles text[] not null default '{}',
  groups text[] not null default '{}',
  primary key (issuer, subject)
);
create index provider_account_account on provider_account (account);

-- The secrets of providers that the site itself describes, encrypted: their other settings are in the configuration.
create table login_provider_secret (
  provider text primary key,
  secret text not null
);

-- Logins with a provider that have come back: each does so once.
create table spent_login (
  state text primary key,
  spent timestamptz not null
);
create index spent_login_spent on spent_login (spent);

-- Users (features/people)

-- When each user logged in last. A table of its own, because no cached response depends on it.
create table account_login (
  account text primary key references account (id) on delete cascade,
  at timestamptz not null
);

-- Links by which a password can be set. The token itself is in the mail only; here is its SHA-256.
create table password_reset (
  token_hash text primary key,
  account text not null references account (id) on delete cascade,
  created timestamptz not null,
  expires timestamptz not null
);
create index password_reset_account on password_reset (account, created);
create index password_reset_expires on password_reset (expires);

-- Preview links (features/preview-links)

-- Links that show content without a login, as far as their creator may view it.
create table preview_link (
  id text primary key,
  content bigint not null references content (oid) on delete cascade,
  -- Everything below is shown, too.
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

-- Recycle bin (features/recycle-bin)

-- Deleted content. Its rows leave their tables, so that no other statement can find them, and come back unchanged.
create table recycled (
  id text primary key default gen_random_uuid()::text,
  deleted timestamptz not null default now(),
  -- Id of the user; empty for nobody in particular.
  deleted_by text not null,
  -- The deleted object, for lists.
  oid bigint not null,
  path text collate "C" not null,
  name text not null,
  title text not null,
  type text not null,
  review_state text,
  language text,
  -- Objects in the entry, the deleted one included.
  objects integer not null
);
create index recycled_deleted on recycled (deleted);
create index recycled_deleted_by on recycled (deleted_by, deleted);

-- The rows of content of an entry.
create table recycled_object (
  entry text not null references recycled (id) on delete cascade,
  oid bigint not null,
  uid text not null,
  path text collate "C" not null,
  data jsonb not null,
  -- Who could view the object when it was deleted: others who deleted the container are not shown it. Null when that is unknown.
  viewers text[],
  primary key (entry, path)
);

-- The rows of all other tables that hang on them.
create table recycled_row (
  entry text not null references recycled (id) on delete cascade,
  -- The object that the row hangs on.
  oid bigint not null,
  source text not null,
  data jsonb not null
);
create index recycled_row_entry on recycled_row (entry, source, oid);

-- Related content (features/related)

-- What objects are about, as a vector of a language model. Made after the write, so an object may be without one.
create table embedding (
  oid bigint primary key references content (oid) on delete cascade,
  model text not null,
  -- When the object was changed before the vector was made.
  modified timestamptz not null,
  -- One bit for each number of the vector, set where it is above zero: near vectors differ in few of them.
  signs bit varying not null,
  -- Of length 1: the product of two is their cosine.
  vector real[] not null
);

-- Scheduled transitions (features/scheduled-transitions)

-- Transitions of content that are to be made at a time, and their results.
create table scheduled_transition (
  id text primary key,
  content bigint not null references content (oid) on delete cascade,
  transition text not null,
  at timestamptz not null,
  comment text not null,
  include_children boolean not null,
  -- In whose name; null once the user is gone.
  actor text references account (id) on delete set null,
  created timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'refused')),
  -- When it is tried next: later than its time only after a fault of the server.
  due timestamptz not null,
  attempts integer not null default 0,
  finished timestamptz,
  -- Why it was refused.
  reason text,
  constraint scheduled_transition_finished check ((finished is not null) = (status <> 'waiting'))
);
create index scheduled_transition_content on scheduled_transition (content, at);
create index scheduled_transition_due on scheduled_transition (due) where status = 'waiting';

-- Undo (features/transactions)

-- What was changed, by whom, and from where: one row for each transaction that has changed something.
create table site_transaction (
  id bigint generated always as identity primary key,
  -- The beginning of the transaction: what it has put into the recycle bin was deleted at the same moment.
  at timestamptz not null default now(),
  -- Id of the user; empty for visitors, and for the server itself.
  actor text not null,
  -- Address of the client; null for work of the server itself.
  client_address text,
  description text not null,
  path text collate "C" not null,
  -- Bytes of its steps.
  size integer not null,
  -- The transactions that it has undone, and the one that has undone it.
  undoes bigint[] not null default '{}',
  undone_by bigint,
  -- It has done more than its steps say.
  incomplete boolean not null default false
);
create index site_transaction_at on site_transaction (at);
create index site_transaction_undone_by on site_transaction (undone_by) where undone_by is not null;

-- What it has done, in order.
create table site_transaction_step (
  transaction bigint not null references site_transaction (id) on delete cascade,
  number integer not null,
  action text not null,
  -- Number of the object; it may be gone.
  content bigint,
  path text collate "C" not null,
  -- The newest version of the object at the end of the transaction, where it has versions.
  version integer,
  -- What is needed to undo it.
  data jsonb not null,
  primary key (transaction, number)
);
create index site_transaction_step_content on site_transaction_step (content, transaction);
create index site_transaction_step_path on site_transaction_step (path, transaction);

-- Second factors (features/two-factor)

-- Codes by the time (RFC 6238), as an app of the user makes them.
create table totp (
  account text primary key references account (id) on delete cascade,
  -- Encrypted.
  secret text not null,
  -- Null until a code has shown that the app has the secret.
  confirmed timestamptz,
  -- The last step of time whose code was used: each works once.
  last_step bigint not null default 0,
  -- SHA-256 of the codes that work once each instead of one of the app.
  recovery text[] not null default '{}'
);

-- Uploads (features/uploads)

-- Uploads under way (tus). Their bytes wait in the blob store; these rows say which of them count.
create table upload (
  id uuid primary key,
  -- Who opened it, and may go on with it. No reference: it expires when the account is gone.
  owner text not null,
  -- The container of the content that it becomes, or the content whose file it replaces. No reference, for the same reason.
  content bigint not null,
  mode text not null,
  length bigint not null,
  -- The offset: bytes that are stored for good. All of them only when the content has been written.
  received bigint not null default 0,
  -- The header Upload-Metadata as it came.
  metadata text not null,
  -- The name in the blob store.
  handle text not null,
  -- The request that goes on with it. A later one takes its place, and further bytes of the earlier one do not count.
  writer uuid,
  next_part integer not null default 1,
  -- The blob that its parts have become.
  blob text,
  -- UID of the content, once that is written.
  result text,
  created timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  constraint upload_mode check (mode in ('create', 'replace')),
  constraint upload_received check (received between 0 and length)
);
create index upload_owner on upload (owner);
create index upload_expires on upload (expires);

create table upload_part (
  upload uuid not null references upload on delete cascade,
  number integer not null,
  size bigint not null,
  -- The name of the part in the blob store.
  tag text not null,
  primary key (upload, number)
);

-- Working copies (features/working-copies)

-- A working copy and the content that it stands for. The lock of the baseline is here alone, so it ends with the row, and the row
-- ends with either side. Apart from `content`, because a copy of a working copy is no working copy.
create table working_copy (
  copy bigint primary key references content (oid) on delete cascade,
  baseline bigint not null unique references content (oid) on delete cascade,
  lock jsonb not null,
  constraint working_copy_of_another check (copy <> baseline)
);

-- Triggers that note changes. Functions and triggers of content and its catalog stand here because they need both tables.

create function note_content_change() returns trigger language plpgsql as $$
begin
  if current_setting('canopy.noted', true) = 'anything' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform note_changed_objects(array_agg(distinct oid), array_remove(array_agg(distinct parent), null))
      from (select oid, parent from now_there limit 51) changed;
  elsif tg_op = 'DELETE' then
    perform note_changed_objects(array_agg(distinct oid), array_remove(array_agg(distinct parent), null))
      from (select oid, parent from was_there limit 51) changed;
  else
    perform note_changed_objects(array_agg(distinct oid), array_remove(array_agg(distinct parent), null))
      from ((select oid, parent from was_there limit 51) union all (select oid, parent from now_there limit 51)) changed;
  end if;
  return null;
end
$$;

-- The note of an object has its container with it, so nothing is looked up for an object that is noted.
create function note_catalog_change() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  changed bigint[];
begin
  if noted = 'anything' then
    return null;
  end if;
  if tg_op = 'DELETE' then
    select array_agg(oid) into changed from (select oid from was_there limit 51) k;
  else
    select array_agg(oid) into changed from (select oid from now_there limit 51) k;
  end if;
  if changed is null or noted <> '' and split_part(noted, ' ', 2)::bigint[] @> changed then
    return null;
  end if;
  perform note_changed_objects(changed, array_remove(array(
    select distinct (select parent from content where oid = k.oid) from unnest(changed) k(oid)), null));
  return null;
end
$$;

-- Searches show passages of the texts of files. The database cannot tell which objects have a file, so its text is noted as a change
-- of an object that does not exist: that invalidates responses made of anything, as searches are, and nothing else. A file that is
-- new has no text yet.
create function note_search_change() returns trigger language plpgsql as $$
begin
  perform note_changed_objects('{0}', '{}');
  return null;
end
$$;

create trigger content_change after truncate on content for each statement execute function note_site_change();
create trigger content_inserted after insert on content referencing new table as now_there
  for each statement execute function note_content_change();
create trigger content_updated after update on content referencing old table as was_there new table as now_there
  for each statement execute function note_content_change();
create trigger content_deleted after delete on content referencing old table as was_there
  for each statement execute function note_content_change();

-- A list of translations depends on the group: another object may come into it by a change that touches none of its members. That is
-- rare, so it counts as a change of anything.
create trigger content_translated after insert on content for each row when (new.translation_group is not null)
  execute function note_site_change();
create trigger content_regrouped after update of translation_group, language on content for each row
  when (new.translation_group is not null
    and (old.translation_group is distinct from new.translation_group or old.language is distinct from new.language))
  execute function note_site_change();

create trigger catalog_change after truncate on catalog for each statement execute function note_site_change();
create trigger catalog_inserted after insert on catalog referencing new table as now_there
  for each statement execute function note_catalog_change();
create trigger catalog_updated after update on catalog referencing new table as now_there
  for each statement execute function note_catalog_change();
create trigger catalog_deleted after delete on catalog referencing old table as was_there
  for each statement execute function note_catalog_change();

create trigger file_text_change after delete or truncate or update of text on file_text
  for each statement execute function note_search_change();

-- A new token is in no cached response.
create trigger issued_token_change after update or delete or truncate on issued_token
  for each statement execute function note_site_change();

-- Any change of these tables is a change of anything.
create trigger access_token_change after insert or update or delete or truncate on access_token
  for each statement execute function note_site_change();
create trigger account_change after insert or update or delete or truncate on account
  for each statement execute function note_site_change();
create trigger configuration_change after insert or update or delete or truncate on configuration
  for each statement execute function note_site_change();
create trigger embedding_change after insert or update or delete or truncate on embedding
  for each statement execute function note_site_change();
create trigger group_member_change after insert or update or delete or truncate on group_member
  for each statement execute function note_site_change();
create trigger principal_group_change after insert or update or delete or truncate on principal_group
  for each statement execute function note_site_change();
create trigger signing_key_change after insert or update or delete or truncate on signing_key
  for each statement execute function note_site_change();
create trigger site_state_change after insert or update or delete or truncate on site_state
  for each statement execute function note_site_change();
create trigger working_copy_change after insert or update or delete or truncate on working_copy
  for each statement execute function note_site_change();
