-- Tables

table access_token (
  id text not null,
  account text not null,
  name text not null,
  hash text not null,
  methods text[],
  subtrees text[],
  created timestamp with time zone not null,
  expires timestamp with time zone,
  scopes text[],
  publishes boolean not null default false
);

table access_token_use (
  token text not null,
  used timestamp with time zone not null,
  network text not null
);

table account (
  id text not null,
  login text not null,
  password text,
  fullname text not null default ''::text,
  email text not null default ''::text,
  roles text[] not null default '{}'::text[],
  properties jsonb not null default '{}'::jsonb,
  created timestamp with time zone not null default now(),
  tokens_valid_from timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  portrait jsonb,
  disabled timestamp with time zone,
  second_factor text
);

table account_login (
  account text not null,
  at timestamp with time zone not null
);

table announced_content (
  oid bigint not null,
  uid text not null,
  parent bigint,
  path text collate "C" not null,
  type text not null,
  language text,
  viewers text[] not null
);

table asked_addresses (
  single boolean not null default true,
  list text not null,
  written timestamp with time zone not null
);

table audit_entry (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  last_at timestamp with time zone,
  count integer not null default 1,
  counted_by text,
  actor text not null,
  client_address text,
  action text collate "C" not null,
  content bigint,
  path text collate "C" not null,
  name text not null,
  data jsonb not null
);

table bulk_change (
  id uuid not null,
  actor text not null,
  data jsonb not null,
  created timestamp with time zone not null default now()
);

table bulk_object (
  bulk uuid not null,
  number integer not null,
  uid text not null,
  path text collate "C" not null,
  outcome text,
  target text collate "C",
  type text,
  reason text,
  transaction bigint
);

table cache_purge_cursor (
  single boolean not null default true,
  snapshot text not null,
  looked timestamp with time zone not null
);

table cache_purge_token (
  id text not null,
  secret text not null
);

table catalog (
  oid bigint not null,
  allowed text[] not null,
  searchable tsvector not null default ''::tsvector,
  exclude_from_nav boolean not null default false,
  sortable_title text collate "C" not null default ''::text,
  subjects text[] not null default '{}'::text[],
  block_types text[] not null default '{}'::text[],
  starts tstzmultirange,
  ends tstzmultirange,
  custom jsonb not null default '{}'::jsonb,
  inactive_allowed text[] not null default '{}'::text[]
);

table catalog_value (
  oid bigint not null,
  name text collate "C" not null,
  number double precision,
  text text collate "C",
  at timestamp with time zone
);

table comment (
  id text not null,
  content bigint not null,
  in_reply_to text,
  body text not null,
  mime_type text not null default 'text/plain'::text,
  author text,
  author_name text not null default ''::text,
  created timestamp with time zone not null,
  modified timestamp with time zone not null,
  review_state text not null default 'published'::text
);

table configuration (
  kind text not null,
  id text not null,
  position integer not null default 0,
  data jsonb not null
);

table content (
  oid bigint not null generated always as identity,
  uid text not null,
  parent bigint,
  name text not null,
  path text collate "C" not null,
  position double precision not null default 0,
  type text not null,
  review_state text,
  owner text not null,
  language text,
  layout text,
  created timestamp with time zone not null,
  modified timestamp with time zone not null,
  effective timestamp with time zone,
  expires timestamp with time zone,
  local_roles jsonb not null default '{}'::jsonb,
  inherit_roles boolean not null default true,
  local_permissions jsonb,
  constrains jsonb,
  lock jsonb,
  default_page text,
  translation_group text,
  fields jsonb not null default '{}'::jsonb,
  blocks json,
  blocks_layout json,
  text json
);

table content_event (
  number bigint not null generated always as identity,
  position bigint,
  id uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default now(),
  event text not null,
  oid bigint not null,
  uid text not null,
  type text not null,
  language_before text,
  language text,
  parent_before bigint,
  parent bigint,
  path_before text collate "C",
  path text collate "C",
  viewers_before text[],
  viewers text[],
  data jsonb not null default '{}'::jsonb
);

table content_feed (
  single boolean not null default true,
  position bigint not null default 0,
  compared bigint,
  dated timestamp with time zone not null default now()
);

table content_rule (
  id text not null,
  number bigint not null generated always as identity,
  title text not null,
  description text not null,
  event text not null,
  enabled boolean not null,
  stop boolean not null,
  cascading boolean not null,
  conditions jsonb not null,
  actions jsonb not null,
  failures bigint not null default 0
);

table content_rule_assignment (
  content bigint not null,
  rule text not null,
  position integer not null,
  enabled boolean not null,
  bubbles boolean not null
);

table content_rule_failure (
  id bigint not null generated always as identity,
  rule text not null,
  at timestamp with time zone not null,
  path text not null,
  message text not null
);

table email_code (
  page text not null,
  block text not null,
  address text not null,
  code_hash text not null,
  expires timestamp with time zone not null,
  attempts integer not null default 0
);

table embedding (
  oid bigint not null,
  model text not null,
  modified timestamp with time zone not null,
  signs bit varying not null,
  vector real[] not null
);

table file_text (
  hash bytea not null,
  format text not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  noted timestamp with time zone not null default clock_timestamp(),
  text text,
  words text,
  stems text,
  reason text
);

table form_submission (
  id bigint not null generated always as identity,
  content bigint not null,
  block text not null,
  created timestamp with time zone not null,
  days double precision,
  fields jsonb not null,
  data jsonb not null
);

table group_member (
  group_id text not null,
  member_id text not null,
  is_group boolean not null default false
);

table import_base (
  source text not null,
  uid text not null,
  object text not null,
  parent text not null,
  name text not null,
  state bytea not null
);

table import_progress (
  source text not null,
  uid text not null,
  content bigint
);

table imported_setup (
  kind text not null,
  id text not null,
  position integer not null,
  data jsonb not null,
  file text not null
);

table installed_profile (
  kind text not null,
  id text not null,
  position integer not null,
  data jsonb not null,
  file text not null
);

table issued_token (
  id text not null,
  account text not null,
  expires timestamp with time zone,
  issued timestamp with time zone not null default now(),
  network text not null default ''::text,
  agent text not null default ''::text
);

table job (
  number bigint not null generated always as identity,
  id uuid not null,
  action text not null,
  params jsonb not null,
  title text not null,
  description text not null,
  scheduled_job text,
  actor text,
  as_system boolean not null,
  exclusive boolean not null,
  status text not null default 'created'::text,
  created timestamp with time zone not null default clock_timestamp(),
  started timestamp with time zone,
  finished timestamp with time zone,
  done bigint,
  total bigint,
  result jsonb,
  error text,
  attempts integer not null default 0,
  worker uuid,
  abort_requested boolean not null default false,
  checkpoint jsonb,
  due timestamp with time zone not null default clock_timestamp(),
  trace jsonb
);

table kept_response (
  id text not null,
  fingerprint text not null,
  bytes bigint not null,
  response text not null,
  created timestamp with time zone not null default now()
);

table login_failure (
  account text not null,
  address text not null,
  at timestamp with time zone not null default now()
);

table login_provider_secret (
  provider text not null,
  secret text not null
);

table model_use (
  caller text not null,
  asked timestamp with time zone[] not null,
  answering timestamp with time zone[] not null,
  latest timestamp with time zone not null
);

table notification (
  id bigint not null generated always as identity,
  account text not null,
  at timestamp with time zone not null,
  kind text not null,
  message text not null,
  path text not null
);

table password_reset (
  token_hash text not null,
  account text not null,
  created timestamp with time zone not null,
  expires timestamp with time zone not null,
  only_account boolean not null default false
);

table plan (
  id uuid not null,
  owner text not null,
  created timestamp with time zone not null,
  changed timestamp with time zone not null,
  state text not null,
  setup text not null,
  entries integer not null default 0,
  bytes bigint not null default 0,
  rule text,
  only_check boolean,
  job uuid,
  paths text[],
  report text
);

table plan_entry (
  plan uuid not null,
  number integer not null,
  entry text not null
);

table plan_file (
  plan uuid not null,
  hash text not null,
  size bigint not null
);

table preview_link (
  id text not null,
  content bigint not null,
  subtree boolean not null,
  creator text not null,
  title text not null,
  hash text not null,
  created timestamp with time zone not null,
  expires timestamp with time zone not null
);

table preview_link_use (
  link text not null,
  used timestamp with time zone not null
);

table principal_group (
  id text not null,
  title text not null default ''::text,
  description text not null default ''::text,
  email text not null default ''::text,
  roles text[] not null default '{}'::text[]
);

table proposal (
  id text not null,
  creator text not null,
  title text not null,
  comment text not null,
  requests text not null,
  created timestamp with time zone not null,
  changed timestamp with time zone not null,
  state text not null default 'pending'::text,
  decided timestamp with time zone,
  decided_by text,
  decision text not null default ''::text,
  approved integer[]
);

table proposal_comment (
  id text not null,
  proposal text not null,
  author text,
  created timestamp with time zone not null,
  text text not null
);

table proposal_link (
  id text not null,
  proposal text not null,
  creator text not null,
  title text not null,
  hash text not null,
  created timestamp with time zone not null,
  expires timestamp with time zone not null
);

table proposal_reviewer (
  proposal text not null,
  reviewer text not null
);

table proposal_target (
  proposal text not null,
  request integer not null,
  uid text not null,
  path text collate "C" not null,
  kind text not null,
  modified timestamp with time zone not null
);

table provider_account (
  issuer text not null,
  subject text not null,
  account text not null,
  roles text[] not null default '{}'::text[],
  groups text[] not null default '{}'::text[]
);

table queue_item (
  id bigint not null generated always as identity,
  kind text not null,
  topic text not null,
  data jsonb not null,
  attempts integer not null default 0,
  error text,
  created timestamp with time zone not null default clock_timestamp(),
  due timestamp with time zone not null default clock_timestamp(),
  expires timestamp with time zone,
  trace jsonb
);

table recycled (
  id text not null default (gen_random_uuid())::text,
  deleted timestamp with time zone not null default now(),
  deleted_by text not null,
  oid bigint not null,
  path text collate "C" not null,
  name text not null,
  title text not null,
  type text not null,
  review_state text,
  language text,
  objects integer not null
);

table recycled_object (
  entry text not null,
  oid bigint not null,
  uid text not null,
  path text collate "C" not null,
  data jsonb not null,
  viewers text[]
);

table recycled_row (
  entry text not null,
  oid bigint not null,
  source text not null,
  data jsonb not null
);

table redirect (
  path text collate "C" not null,
  target bigint,
  target_url text,
  manual boolean not null default false,
  created timestamp with time zone not null default now()
);

table reference (
  source bigint not null,
  relation text not null,
  position integer not null,
  target text not null
);

table release (
  id text not null,
  title text not null,
  description text not null,
  creator text,
  created timestamp with time zone not null,
  changed timestamp with time zone not null,
  state text not null default 'draft'::text,
  next_part integer not null default 0,
  at timestamp with time zone,
  scheduled_by text,
  prefer text,
  base text,
  due timestamp with time zone,
  attempts integer not null default 0,
  problem jsonb,
  published timestamp with time zone,
  published_by text,
  transactions bigint[] not null default '{}'::bigint[],
  undone timestamp with time zone,
  undone_by text,
  setup jsonb
);

table release_former_state (
  release text not null,
  step integer not null,
  uid text not null,
  former text,
  present text
);

table release_link (
  id text not null,
  release text not null,
  title text not null,
  creator text not null,
  hash text not null,
  created timestamp with time zone not null,
  expires timestamp with time zone not null
);

table release_part (
  release text not null,
  number integer not null,
  request text not null,
  is_setup boolean not null,
  author text,
  added timestamp with time zone not null
);

table release_target (
  release text not null,
  number integer not null,
  uid text not null,
  path text collate "C" not null,
  kind text not null,
  modified timestamp with time zone not null
);

table scheduled_job (
  id text not null,
  title text not null,
  description text not null,
  enabled boolean not null,
  action text not null,
  params jsonb not null,
  schedule text not null,
  next_run timestamp with time zone
);

table scheduled_transition (
  id text not null,
  content bigint not null,
  transition text not null,
  at timestamp with time zone not null,
  comment text not null,
  include_children boolean not null,
  actor text,
  created timestamp with time zone not null,
  status text not null default 'waiting'::text,
  due timestamp with time zone not null,
  attempts integer not null default 0,
  finished timestamp with time zone,
  reason text
);

table schema_migration (
  id integer not null,
  name text not null,
  checksum text not null,
  applied timestamp with time zone not null default now()
);

table secret_key (
  id text not null,
  secret text not null
);

table signing_key (
  id text not null,
  secret text not null,
  created timestamp with time zone not null default now()
);

table site_change (
  xid xid8 not null,
  objects bigint[],
  containers bigint[]
);

table site_export (
  id uuid not null,
  actor text not null,
  path text not null,
  encrypted boolean not null,
  passphrase text,
  created timestamp with time zone not null default clock_timestamp(),
  expires timestamp with time zone not null,
  job uuid,
  blob text,
  bytes bigint,
  report jsonb
);

table site_import (
  id uuid not null,
  actor text not null,
  filename text not null,
  kind text not null,
  bytes bigint not null,
  blob text,
  created timestamp with time zone not null default clock_timestamp(),
  expires timestamp with time zone not null,
  job uuid,
  options jsonb,
  report jsonb
);

table site_import_line (
  import uuid not null,
  number bigint not null generated always as identity,
  kind text not null,
  effect text,
  mark text not null,
  line jsonb not null
);

table site_state (
  name text not null,
  value text not null
);

table site_transaction (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  client_address text,
  description text not null,
  path text collate "C" not null,
  size integer not null,
  undoes bigint[] not null default '{}'::bigint[],
  undone_by bigint,
  incomplete boolean not null default false
);

table site_transaction_step (
  transaction bigint not null,
  number integer not null,
  action text not null,
  content bigint,
  path text collate "C" not null,
  version integer,
  data jsonb not null
);

table spent_login (
  state text not null,
  spent timestamp with time zone not null
);

table totp (
  account text not null,
  secret text not null,
  confirmed timestamp with time zone,
  last_step bigint not null default 0,
  recovery text[] not null default '{}'::text[]
);

table upload (
  id uuid not null,
  owner text not null,
  content bigint not null,
  mode text not null,
  length bigint not null,
  received bigint not null default 0,
  metadata text not null,
  handle text not null,
  writer uuid,
  next_part integer not null default 1,
  blob text,
  result text,
  created timestamp with time zone not null default clock_timestamp(),
  expires timestamp with time zone not null
);

table upload_part (
  upload uuid not null,
  number integer not null,
  size bigint not null,
  tag text not null
);

table version (
  content bigint not null,
  number integer not null,
  at timestamp with time zone not null,
  actor text not null,
  note text not null default ''::text,
  fields text[] not null default '{}'::text[],
  replaced jsonb not null default '{}'::jsonb
);

table visitor_request (
  kind text not null,
  address text not null,
  at timestamp with time zone not null
);

table webhook (
  id text not null,
  title text not null,
  url text not null,
  enabled boolean not null,
  audience text not null,
  events text[] not null,
  types text[] not null,
  languages text[] not null,
  path text,
  position bigint,
  event uuid,
  failing_since timestamp with time zone,
  paused timestamp with time zone,
  paused_because text,
  created timestamp with time zone not null default now()
);

table webhook_attempt (
  id bigint not null generated always as identity,
  webhook text not null,
  at timestamp with time zone not null default now(),
  message text not null,
  type text not null,
  path text not null,
  attempt integer not null,
  status integer,
  problem text
);

table webhook_secret (
  id bigint not null generated always as identity,
  owner text not null,
  sealed text not null,
  until timestamp with time zone
);

table workflow_history (
  id bigint not null generated always as identity,
  content bigint not null,
  workflow text not null,
  action text,
  actor text not null,
  comments text not null default ''::text,
  review_state text not null,
  at timestamp with time zone not null
);

table working_copy (
  copy bigint not null,
  baseline bigint not null,
  lock jsonb not null,
  base jsonb
);

table write_lease (
  process text not null,
  running_as text
);

-- Constraints

constraint access_token.access_token_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint access_token.access_token_hash_key UNIQUE (hash);

constraint access_token.access_token_pkey PRIMARY KEY (id);

constraint access_token_use.access_token_use_pkey PRIMARY KEY (token);

constraint access_token_use.access_token_use_token_fkey FOREIGN KEY (token) REFERENCES access_token(id) ON DELETE CASCADE;

constraint account.account_login_key UNIQUE (login);

constraint account.account_pkey PRIMARY KEY (id);

constraint account_login.account_login_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint account_login.account_login_pkey PRIMARY KEY (account);

constraint announced_content.announced_content_pkey PRIMARY KEY (oid);

constraint asked_addresses.asked_addresses_pkey PRIMARY KEY (single);

constraint asked_addresses.asked_addresses_single_check CHECK (single);

constraint audit_entry.audit_entry_counted_by_key UNIQUE (counted_by);

constraint audit_entry.audit_entry_pkey PRIMARY KEY (id);

constraint bulk_change.bulk_change_pkey PRIMARY KEY (id);

constraint bulk_object.bulk_object_bulk_fkey FOREIGN KEY (bulk) REFERENCES bulk_change(id) ON DELETE CASCADE;

constraint bulk_object.bulk_object_outcome CHECK ((outcome = ANY (ARRAY['changed'::text, 'unchanged'::text, 'refused'::text])));

constraint bulk_object.bulk_object_pkey PRIMARY KEY (bulk, number);

constraint cache_purge_cursor.cache_purge_cursor_pkey PRIMARY KEY (single);

constraint cache_purge_cursor.cache_purge_cursor_single_check CHECK (single);

constraint cache_purge_token.cache_purge_token_pkey PRIMARY KEY (id);

constraint catalog.catalog_oid_fkey FOREIGN KEY (oid) REFERENCES content(oid) ON DELETE CASCADE;

constraint catalog.catalog_pkey PRIMARY KEY (oid);

constraint catalog_value.catalog_value_oid_fkey FOREIGN KEY (oid) REFERENCES catalog(oid) ON DELETE CASCADE;

constraint catalog_value.catalog_value_pkey PRIMARY KEY (oid, name);

constraint comment.comment_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint comment.comment_in_reply_to_fkey FOREIGN KEY (in_reply_to) REFERENCES comment(id) ON DELETE CASCADE;

constraint comment.comment_pkey PRIMARY KEY (id);

constraint configuration.configuration_pkey PRIMARY KEY (kind, id);

constraint content.content_long_fields CHECK ((NOT (fields ?| ARRAY['blocks'::text, 'blocks_layout'::text, 'text'::text])));

constraint content.content_name_unique UNIQUE (parent, name);

constraint content.content_one_root CHECK (((parent IS NULL) = (path = '/'::text)));

constraint content.content_parent_fkey FOREIGN KEY (parent) REFERENCES content(oid) ON DELETE CASCADE;

constraint content.content_path_key UNIQUE (path);

constraint content.content_pkey PRIMARY KEY (oid);

constraint content.content_uid_key UNIQUE (uid);

constraint content_event.content_event_pkey PRIMARY KEY (number);

constraint content_feed.content_feed_pkey PRIMARY KEY (single);

constraint content_feed.content_feed_single_check CHECK (single);

constraint content_rule.content_rule_pkey PRIMARY KEY (id);

constraint content_rule_assignment.content_rule_assignment_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint content_rule_assignment.content_rule_assignment_pkey PRIMARY KEY (content, rule);

constraint content_rule_assignment.content_rule_assignment_rule_fkey FOREIGN KEY (rule) REFERENCES content_rule(id) ON DELETE CASCADE;

constraint content_rule_failure.content_rule_failure_pkey PRIMARY KEY (id);

constraint content_rule_failure.content_rule_failure_rule_fkey FOREIGN KEY (rule) REFERENCES content_rule(id) ON DELETE CASCADE;

constraint email_code.email_code_pkey PRIMARY KEY (page, block, address);

constraint embedding.embedding_oid_fkey FOREIGN KEY (oid) REFERENCES content(oid) ON DELETE CASCADE;

constraint embedding.embedding_pkey PRIMARY KEY (oid);

constraint file_text.file_text_pkey PRIMARY KEY (hash);

constraint file_text.file_text_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'read'::text, 'failed'::text])));

constraint form_submission.form_submission_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint form_submission.form_submission_pkey PRIMARY KEY (id);

constraint group_member.group_member_group_id_fkey FOREIGN KEY (group_id) REFERENCES principal_group(id) ON DELETE CASCADE;

constraint group_member.group_member_pkey PRIMARY KEY (group_id, member_id, is_group);

constraint import_base.import_base_pkey PRIMARY KEY (source, uid);

constraint import_progress.import_progress_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint import_progress.import_progress_pkey PRIMARY KEY (source, uid);

constraint imported_setup.imported_setup_pkey PRIMARY KEY (kind, id);

constraint installed_profile.installed_profile_pkey PRIMARY KEY (kind, id);

constraint issued_token.issued_token_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint issued_token.issued_token_pkey PRIMARY KEY (id);

constraint job.job_finished CHECK (((finished IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'failed'::text, 'aborted'::text]))));

constraint job.job_held CHECK (((status = 'running'::text) = (worker IS NOT NULL)));

constraint job.job_id_key UNIQUE (id);

constraint job.job_pkey PRIMARY KEY (number);

constraint job.job_status CHECK ((status = ANY (ARRAY['created'::text, 'running'::text, 'completed'::text, 'failed'::text, 'aborted'::text])));

constraint kept_response.kept_response_pkey PRIMARY KEY (id);

constraint login_provider_secret.login_provider_secret_pkey PRIMARY KEY (provider);

constraint model_use.model_use_pkey PRIMARY KEY (caller);

constraint notification.notification_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint notification.notification_pkey PRIMARY KEY (id);

constraint password_reset.password_reset_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint password_reset.password_reset_pkey PRIMARY KEY (token_hash);

constraint plan.plan_pkey PRIMARY KEY (id);

constraint plan.plan_rule_check CHECK ((rule = ANY (ARRAY['keep'::text, 'take'::text, 'stop'::text])));

constraint plan.plan_state_check CHECK ((state = ANY (ARRAY['open'::text, 'waiting'::text, 'applied'::text, 'failed'::text])));

constraint plan_entry.plan_entry_pkey PRIMARY KEY (plan, number);

constraint plan_entry.plan_entry_plan_fkey FOREIGN KEY (plan) REFERENCES plan(id) ON DELETE CASCADE;

constraint plan_file.plan_file_pkey PRIMARY KEY (plan, hash);

constraint plan_file.plan_file_plan_fkey FOREIGN KEY (plan) REFERENCES plan(id) ON DELETE CASCADE;

constraint preview_link.preview_link_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint preview_link.preview_link_creator_fkey FOREIGN KEY (creator) REFERENCES account(id) ON DELETE CASCADE;

constraint preview_link.preview_link_hash_key UNIQUE (hash);

constraint preview_link.preview_link_pkey PRIMARY KEY (id);

constraint preview_link_use.preview_link_use_link_fkey FOREIGN KEY (link) REFERENCES preview_link(id) ON DELETE CASCADE;

constraint preview_link_use.preview_link_use_pkey PRIMARY KEY (link);

constraint principal_group.principal_group_pkey PRIMARY KEY (id);

constraint proposal.proposal_creator_fkey FOREIGN KEY (creator) REFERENCES account(id) ON DELETE CASCADE;

constraint proposal.proposal_decided CHECK (((decided IS NOT NULL) = (state <> 'pending'::text)));

constraint proposal.proposal_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES account(id) ON DELETE SET NULL;

constraint proposal.proposal_pkey PRIMARY KEY (id);

constraint proposal.proposal_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text])));

constraint proposal_comment.proposal_comment_author_fkey FOREIGN KEY (author) REFERENCES account(id) ON DELETE SET NULL;

constraint proposal_comment.proposal_comment_pkey PRIMARY KEY (id);

constraint proposal_comment.proposal_comment_proposal_fkey FOREIGN KEY (proposal) REFERENCES proposal(id) ON DELETE CASCADE;

constraint proposal_link.proposal_link_creator_fkey FOREIGN KEY (creator) REFERENCES account(id) ON DELETE CASCADE;

constraint proposal_link.proposal_link_hash_key UNIQUE (hash);

constraint proposal_link.proposal_link_pkey PRIMARY KEY (id);

constraint proposal_link.proposal_link_proposal_fkey FOREIGN KEY (proposal) REFERENCES proposal(id) ON DELETE CASCADE;

constraint proposal_reviewer.proposal_reviewer_pkey PRIMARY KEY (proposal, reviewer);

constraint proposal_reviewer.proposal_reviewer_proposal_fkey FOREIGN KEY (proposal) REFERENCES proposal(id) ON DELETE CASCADE;

constraint proposal_target.proposal_target_kind_check CHECK ((kind = ANY (ARRAY['add'::text, 'change'::text, 'remove'::text, 'transition'::text, 'view'::text])));

constraint proposal_target.proposal_target_pkey PRIMARY KEY (proposal, request, uid, kind);

constraint proposal_target.proposal_target_proposal_fkey FOREIGN KEY (proposal) REFERENCES proposal(id) ON DELETE CASCADE;

constraint provider_account.provider_account_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint provider_account.provider_account_pkey PRIMARY KEY (issuer, subject);

constraint queue_item.queue_item_pkey PRIMARY KEY (id);

constraint recycled.recycled_pkey PRIMARY KEY (id);

constraint recycled_object.recycled_object_entry_fkey FOREIGN KEY (entry) REFERENCES recycled(id) ON DELETE CASCADE;

constraint recycled_object.recycled_object_pkey PRIMARY KEY (entry, path);

constraint recycled_row.recycled_row_entry_fkey FOREIGN KEY (entry) REFERENCES recycled(id) ON DELETE CASCADE;

constraint redirect.redirect_one_target CHECK (((target IS NULL) <> (target_url IS NULL)));

constraint redirect.redirect_pkey PRIMARY KEY (path);

constraint redirect.redirect_target_fkey FOREIGN KEY (target) REFERENCES content(oid) ON DELETE CASCADE;

constraint reference.reference_pkey PRIMARY KEY (source, "position");

constraint reference.reference_source_fkey FOREIGN KEY (source) REFERENCES content(oid) ON DELETE CASCADE;

constraint release.release_creator_fkey FOREIGN KEY (creator) REFERENCES account(id) ON DELETE SET NULL;

constraint release.release_pkey PRIMARY KEY (id);

constraint release.release_prefer_check CHECK ((prefer = ANY (ARRAY['mine'::text, 'theirs'::text])));

constraint release.release_published CHECK (((state = ANY (ARRAY['published'::text, 'undone'::text])) = (published IS NOT NULL)));

constraint release.release_published_by_fkey FOREIGN KEY (published_by) REFERENCES account(id) ON DELETE SET NULL;

constraint release.release_scheduled CHECK (((state <> 'scheduled'::text) OR ((at IS NOT NULL) AND (due IS NOT NULL) AND (base IS NOT NULL))));

constraint release.release_scheduled_by_fkey FOREIGN KEY (scheduled_by) REFERENCES account(id) ON DELETE SET NULL;

constraint release.release_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'failed'::text, 'published'::text, 'undone'::text])));

constraint release.release_undone_by_fkey FOREIGN KEY (undone_by) REFERENCES account(id) ON DELETE SET NULL;

constraint release_former_state.release_former_state_pkey PRIMARY KEY (release, step, uid);

constraint release_former_state.release_former_state_release_fkey FOREIGN KEY (release) REFERENCES release(id) ON DELETE CASCADE;

constraint release_link.release_link_creator_fkey FOREIGN KEY (creator) REFERENCES account(id) ON DELETE CASCADE;

constraint release_link.release_link_hash_key UNIQUE (hash);

constraint release_link.release_link_pkey PRIMARY KEY (id);

constraint release_link.release_link_release_fkey FOREIGN KEY (release) REFERENCES release(id) ON DELETE CASCADE;

constraint release_part.release_part_author_fkey FOREIGN KEY (author) REFERENCES account(id) ON DELETE SET NULL;

constraint release_part.release_part_pkey PRIMARY KEY (release, number);

constraint release_part.release_part_release_fkey FOREIGN KEY (release) REFERENCES release(id) ON DELETE CASCADE;

constraint release_target.release_target_kind_check CHECK ((kind = ANY (ARRAY['add'::text, 'change'::text, 'remove'::text, 'transition'::text, 'view'::text])));

constraint release_target.release_target_pkey PRIMARY KEY (release, number, uid, kind);

constraint release_target.release_target_release_number_fkey FOREIGN KEY (release, number) REFERENCES release_part(release, number) ON DELETE CASCADE;

constraint scheduled_job.scheduled_job_pkey PRIMARY KEY (id);

constraint scheduled_job.scheduled_job_waits CHECK ((enabled = (next_run IS NOT NULL)));

constraint scheduled_transition.scheduled_transition_actor_fkey FOREIGN KEY (actor) REFERENCES account(id) ON DELETE SET NULL;

constraint scheduled_transition.scheduled_transition_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint scheduled_transition.scheduled_transition_finished CHECK (((finished IS NOT NULL) = (status <> 'waiting'::text)));

constraint scheduled_transition.scheduled_transition_pkey PRIMARY KEY (id);

constraint scheduled_transition.scheduled_transition_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text])));

constraint schema_migration.schema_migration_pkey PRIMARY KEY (id);

constraint secret_key.secret_key_pkey PRIMARY KEY (id);

constraint signing_key.signing_key_pkey PRIMARY KEY (id);

constraint site_export.site_export_pkey PRIMARY KEY (id);

constraint site_import.site_import_kind_check CHECK ((kind = ANY (ARRAY['zip'::text, 'tar.gz'::text, 'json'::text, 'xml'::text])));

constraint site_import.site_import_pkey PRIMARY KEY (id);

constraint site_import_line.site_import_line_import_fkey FOREIGN KEY (import) REFERENCES site_import(id) ON DELETE CASCADE;

constraint site_import_line.site_import_line_import_mark_key UNIQUE (import, mark);

constraint site_import_line.site_import_line_kind_check CHECK ((kind = ANY (ARRAY['problem'::text, 'change'::text, 'conflict'::text])));

constraint site_import_line.site_import_line_pkey PRIMARY KEY (import, number);

constraint site_state.site_state_pkey PRIMARY KEY (name);

constraint site_transaction.site_transaction_pkey PRIMARY KEY (id);

constraint site_transaction_step.site_transaction_step_pkey PRIMARY KEY (transaction, number);

constraint site_transaction_step.site_transaction_step_transaction_fkey FOREIGN KEY (transaction) REFERENCES site_transaction(id) ON DELETE CASCADE;

constraint spent_login.spent_login_pkey PRIMARY KEY (state);

constraint totp.totp_account_fkey FOREIGN KEY (account) REFERENCES account(id) ON DELETE CASCADE;

constraint totp.totp_pkey PRIMARY KEY (account);

constraint upload.upload_mode CHECK ((mode = ANY (ARRAY['create'::text, 'replace'::text])));

constraint upload.upload_pkey PRIMARY KEY (id);

constraint upload.upload_received CHECK (((received >= 0) AND (received <= length)));

constraint upload_part.upload_part_pkey PRIMARY KEY (upload, number);

constraint upload_part.upload_part_upload_fkey FOREIGN KEY (upload) REFERENCES upload(id) ON DELETE CASCADE;

constraint version.version_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint version.version_pkey PRIMARY KEY (content, number);

constraint webhook.webhook_pkey PRIMARY KEY (id);

constraint webhook_attempt.webhook_attempt_pkey PRIMARY KEY (id);

constraint webhook_attempt.webhook_attempt_webhook_fkey FOREIGN KEY (webhook) REFERENCES webhook(id) ON DELETE CASCADE;

constraint webhook_secret.webhook_secret_pkey PRIMARY KEY (id);

constraint workflow_history.workflow_history_content_fkey FOREIGN KEY (content) REFERENCES content(oid) ON DELETE CASCADE;

constraint workflow_history.workflow_history_pkey PRIMARY KEY (id);

constraint working_copy.working_copy_baseline_fkey FOREIGN KEY (baseline) REFERENCES content(oid) ON DELETE CASCADE;

constraint working_copy.working_copy_baseline_key UNIQUE (baseline);

constraint working_copy.working_copy_copy_fkey FOREIGN KEY (copy) REFERENCES content(oid) ON DELETE CASCADE;

constraint working_copy.working_copy_of_another CHECK ((copy <> baseline));

constraint working_copy.working_copy_pkey PRIMARY KEY (copy);

constraint write_lease.write_lease_pkey PRIMARY KEY (process);

-- Indexes

CREATE INDEX access_token_account ON public.access_token USING btree (account, created);

CREATE INDEX account_email ON public.account USING btree (lower(email));

CREATE INDEX announced_content_path ON public.announced_content USING btree (path);

CREATE INDEX audit_entry_action ON public.audit_entry USING btree (action, id);

CREATE INDEX audit_entry_actor ON public.audit_entry USING btree (actor, id);

CREATE INDEX audit_entry_address ON public.audit_entry USING btree (client_address, id);

CREATE INDEX audit_entry_at ON public.audit_entry USING btree (at);

CREATE INDEX audit_entry_content ON public.audit_entry USING btree (content, id);

CREATE INDEX audit_entry_path ON public.audit_entry USING btree (path, id);

CREATE INDEX bulk_change_created ON public.bulk_change USING btree (created);

CREATE INDEX catalog_allowed ON public.catalog USING gin (allowed) WITH (gin_pending_list_limit='256');

CREATE INDEX catalog_block_types ON public.catalog USING gin (block_types) WITH (gin_pending_list_limit='64');

CREATE INDEX catalog_custom ON public.catalog USING gin (custom jsonb_path_ops) WITH (gin_pending_list_limit='64');

CREATE INDEX catalog_ends ON public.catalog USING gist (ends) WHERE (ends IS NOT NULL);

CREATE INDEX catalog_searchable ON public.catalog USING gin (searchable) WITH (gin_pending_list_limit='256');

CREATE INDEX catalog_sortable_title ON public.catalog USING btree (sortable_title);

CREATE INDEX catalog_starts ON public.catalog USING gist (starts) WHERE (starts IS NOT NULL);

CREATE INDEX catalog_subjects ON public.catalog USING gin (subjects) WITH (gin_pending_list_limit='64');

CREATE INDEX catalog_title_words ON public.catalog USING gin (to_tsvector('simple'::regconfig, sortable_title)) WITH (gin_pending_list_limit='256');

CREATE INDEX catalog_value_at ON public.catalog_value USING btree (name, at) WHERE (at IS NOT NULL);

CREATE INDEX catalog_value_number ON public.catalog_value USING btree (name, number) WHERE (number IS NOT NULL);

CREATE INDEX catalog_value_text ON public.catalog_value USING btree (name, text) WHERE (text IS NOT NULL);

CREATE INDEX comment_content ON public.comment USING btree (content, created);

CREATE INDEX comment_in_reply_to ON public.comment USING btree (in_reply_to);

CREATE INDEX content_children ON public.content USING btree (parent, "position");

CREATE INDEX content_created ON public.content USING btree (created);

CREATE INDEX content_effective ON public.content USING btree (effective NULLS FIRST);

CREATE INDEX content_event_at ON public.content_event USING btree (at);

CREATE INDEX content_event_unplaced ON public.content_event USING btree (number) WHERE ("position" IS NULL);

CREATE INDEX content_expires ON public.content USING btree (expires) WHERE (expires IS NOT NULL);

CREATE INDEX content_locked ON public.content USING btree (oid) WHERE (lock IS NOT NULL);

CREATE INDEX content_modified ON public.content USING btree (modified);

CREATE INDEX content_name ON public.content USING btree (name);

CREATE INDEX content_owner ON public.content USING btree (owner);

CREATE INDEX content_rule_assignment_rule ON public.content_rule_assignment USING btree (rule);

CREATE INDEX content_rule_failure_rule ON public.content_rule_failure USING btree (rule, id);

CREATE INDEX content_type_path ON public.content USING btree (type, path) INCLUDE (oid, effective, expires);

CREATE INDEX email_code_expires ON public.email_code USING btree (expires);

CREATE INDEX file_text_waiting ON public.file_text USING btree (attempts, noted) WHERE (state = 'waiting'::text);

CREATE INDEX form_submission_block ON public.form_submission USING btree (content, block, id);

CREATE INDEX form_submission_created ON public.form_submission USING btree (created) WHERE (days IS NOT NULL);

CREATE INDEX group_member_member ON public.group_member USING btree (member_id, is_group);

CREATE INDEX import_progress_content ON public.import_progress USING btree (content);

CREATE INDEX issued_token_account ON public.issued_token USING btree (account, issued);

CREATE INDEX issued_token_expires ON public.issued_token USING btree (expires);

CREATE INDEX job_closed ON public.job USING btree (finished) WHERE (finished IS NOT NULL);

CREATE INDEX job_open ON public.job USING btree (number) WHERE (finished IS NULL);

CREATE INDEX kept_response_created ON public.kept_response USING btree (created);

CREATE INDEX login_failure_account ON public.login_failure USING btree (account, at);

CREATE INDEX login_failure_address ON public.login_failure USING btree (address, at);

CREATE INDEX login_failure_at ON public.login_failure USING btree (at);

CREATE INDEX model_use_latest ON public.model_use USING btree (latest);

CREATE INDEX notification_account ON public.notification USING btree (account, id);

CREATE INDEX password_reset_account ON public.password_reset USING btree (account, created);

CREATE INDEX password_reset_expires ON public.password_reset USING btree (expires);

CREATE INDEX plan_changed ON public.plan USING btree (changed);

CREATE INDEX plan_owner ON public.plan USING btree (owner);

CREATE INDEX preview_link_content ON public.preview_link USING btree (content, created);

CREATE INDEX proposal_comment_author ON public.proposal_comment USING btree (author);

CREATE INDEX proposal_comment_proposal ON public.proposal_comment USING btree (proposal, created);

CREATE INDEX proposal_creator ON public.proposal USING btree (creator, state);

CREATE INDEX proposal_decided_by ON public.proposal USING btree (decided_by);

CREATE INDEX proposal_link_creator ON public.proposal_link USING btree (creator);

CREATE INDEX proposal_link_proposal ON public.proposal_link USING btree (proposal, creator);

CREATE INDEX proposal_reviewer_reviewer ON public.proposal_reviewer USING btree (reviewer);

CREATE INDEX proposal_state ON public.proposal USING btree (state, created DESC, id);

CREATE INDEX proposal_target_uid ON public.proposal_target USING btree (uid);

CREATE INDEX provider_account_account ON public.provider_account USING btree (account);

CREATE INDEX queue_item_due ON public.queue_item USING btree (kind, due, id);

CREATE INDEX queue_item_expires ON public.queue_item USING btree (kind, expires) WHERE (expires IS NOT NULL);

CREATE INDEX queue_item_topic ON public.queue_item USING btree (kind, topic);

CREATE INDEX recycled_deleted ON public.recycled USING btree (deleted);

CREATE INDEX recycled_deleted_by ON public.recycled USING btree (deleted_by, deleted);

CREATE INDEX recycled_row_entry ON public.recycled_row USING btree (entry, source, oid);

CREATE INDEX redirect_target ON public.redirect USING btree (target);

CREATE INDEX reference_target ON public.reference USING btree (target);

CREATE INDEX release_creator ON public.release USING btree (creator);

CREATE INDEX release_due ON public.release USING btree (due) WHERE (state = 'scheduled'::text);

CREATE INDEX release_link_creator ON public.release_link USING btree (creator);

CREATE INDEX release_link_release ON public.release_link USING btree (release, created DESC);

CREATE INDEX release_part_author ON public.release_part USING btree (author);

CREATE INDEX release_published_by ON public.release USING btree (published_by);

CREATE INDEX release_scheduled_by ON public.release USING btree (scheduled_by);

CREATE INDEX release_state ON public.release USING btree (state, created DESC, id);

CREATE INDEX release_undone_by ON public.release USING btree (undone_by);

CREATE INDEX scheduled_job_due ON public.scheduled_job USING btree (next_run) WHERE (next_run IS NOT NULL);

CREATE INDEX scheduled_transition_content ON public.scheduled_transition USING btree (content, at);

CREATE INDEX scheduled_transition_due ON public.scheduled_transition USING btree (due) WHERE (status = 'waiting'::text);

CREATE INDEX site_change_xid ON public.site_change USING btree (xid);

CREATE INDEX site_import_created ON public.site_import USING btree (created DESC, id);

CREATE INDEX site_import_expires ON public.site_import USING btree (expires) WHERE (blob IS NOT NULL);

CREATE INDEX site_import_line_kind ON public.site_import_line USING btree (import, kind, effect, number);

CREATE INDEX site_transaction_at ON public.site_transaction USING btree (at);

CREATE INDEX site_transaction_step_content ON public.site_transaction_step USING btree (content, transaction);

CREATE INDEX site_transaction_step_path ON public.site_transaction_step USING btree (path, transaction);

CREATE INDEX site_transaction_undone_by ON public.site_transaction USING btree (undone_by) WHERE (undone_by IS NOT NULL);

CREATE INDEX spent_login_spent ON public.spent_login USING btree (spent);

CREATE INDEX upload_expires ON public.upload USING btree (expires);

CREATE INDEX upload_owner ON public.upload USING btree (owner);

CREATE INDEX visitor_request_address ON public.visitor_request USING btree (kind, address, at);

CREATE INDEX visitor_request_at ON public.visitor_request USING btree (at);

CREATE INDEX webhook_attempt_webhook ON public.webhook_attempt USING btree (webhook, id);

CREATE INDEX webhook_secret_owner ON public.webhook_secret USING btree (owner);

CREATE INDEX workflow_history_content ON public.workflow_history USING btree (content, id);

CREATE UNIQUE INDEX content_event_position ON public.content_event USING btree ("position") WHERE ("position" IS NOT NULL);

CREATE UNIQUE INDEX content_single_root ON public.content USING btree ((true)) WHERE (parent IS NULL);

CREATE UNIQUE INDEX content_translation ON public.content USING btree (translation_group, language) WHERE (translation_group IS NOT NULL);

CREATE UNIQUE INDEX job_running_alone ON public.job USING btree (action) WHERE (exclusive AND (status = 'running'::text));

CREATE UNIQUE INDEX site_change_anything ON public.site_change USING btree (xid) WHERE (objects IS NULL);

-- Functions

CREATE OR REPLACE FUNCTION public.announce(notes jsonb, dated boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  note jsonb;
  one bigint;
  path_was text;
  path_is text;
  ended text;
begin
  for place in 0 .. jsonb_array_length(notes) - 1 loop
    note := notes->place;
    one := (note->>'content')::bigint;
    if one is null then
      update content_feed set compared = 0 where compared is distinct from 0;
      continue;
    end if;
    if (note->>'below')::boolean then
      path_was := (select case a.path when '/' then '' else a.path end from announced_content a where a.oid = one);
      path_is := (select case c.path when '/' then '' else c.path end from content c where c.oid = one);
    end if;
    ended := announce_object(one, coalesce(note->'events', '[]'), dated);
    if (note->>'below')::boolean then
      ended := announce_below(path_was, path_is, dated,
        case when note->'events'->0->>'event' = 'restored' then 'restored' else 'created' end);
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_below(path_was text, path_is text, dated boolean, created_as text)
 RETURNS void
 LANGUAGE sql
AS $function$
  with is_below as materialized (
    select n.*, a.oid is not null as was_there, a.uid as uid_before, a.type as type_before, a.language as language_before,
      a.parent as parent_before, a.path as path_before, a.viewers as viewers_before
    from announceable(dated) n left join lateral (select * from announced_content a where a.oid = n.oid offset 0) a on true
    where n.path > path_is || '/' collate "C" and n.path < path_is || '0' collate "C"
  ), compared as materialized (
    select * from is_below where path is distinct from path_before or viewers is distinct from viewers_before
    union all
    select a.oid, n.uid, n.parent, n.path, n.type, n.language, n.viewers, true, a.uid, a.type, a.language, a.parent, a.path, a.viewers
    from (
      select oid from announced_content where path > path_was || '/' collate "C" and path < path_was || '0' collate "C"
      except select oid from is_below
    ) elsewhere
      cross join lateral (select * from announced_content a where a.oid = elsewhere.oid offset 0) a
      left join lateral (select * from announceable(dated) n where n.oid = elsewhere.oid offset 0) n on true
    where n.path is distinct from a.path or n.viewers is distinct from a.viewers
  ), gone as (
    delete from announced_content a using compared where compared.path is null and a.oid = compared.oid returning a.oid
  ), is_there as (
    insert into announced_content select oid, uid, parent, path, type, language, viewers from compared where path is not null order by oid
      on conflict (oid) do update set uid = excluded.uid, parent = excluded.parent, path = excluded.path, type = excluded.type,
        language = excluded.language, viewers = excluded.viewers
      returning oid
  )
  insert into content_event (event, oid, uid, type, language_before, language, parent_before, parent, path_before, path, viewers_before,
    viewers)
  select case when not was_there then created_as when path is null then 'removed' when path = path_before then 'rights' else 'moved' end,
    oid, coalesce(uid, uid_before), coalesce(type, type_before), language_before, language, parent_before, parent, path_before, path,
    viewers_before, viewers
  from compared
  -- The count has all rows held before their events get numbers. Somebody else may have removed a row that is gone.
  where (select count(*) from is_there) >= 0 and (path is not null or oid in (select oid from gone))
  order by coalesce(path, path_before)
$function$;

CREATE OR REPLACE FUNCTION public.announce_object(one bigint, events jsonb, dated boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  was announced_content;
  is_now announced_content;
begin
  -- It is held until the commit, so that the numbers of its events have the order of what was announced.
  select * into was from announced_content a where a.oid = one for no key update;
  if not found then
    -- Somebody else may have announced it meanwhile: readers then get it twice.
    with is_there as (
      insert into announced_content select * from announceable(dated) c where c.oid = one
        on conflict (oid) do update set uid = excluded.uid, parent = excluded.parent, path = excluded.path, type = excluded.type,
          language = excluded.language, viewers = excluded.viewers
        returning *
    )
    insert into content_event (event, oid, uid, type, language, parent, path, viewers)
      select case when events->0->>'event' = 'restored' then 'restored' else 'created' end, oid, uid, type, language, parent, path, viewers
      from is_there;
    return;
  end if;
  select * into is_now from announceable(dated) c where c.oid = one;
  if not found then
    insert into content_event (event, oid, uid, type, language_before, parent_before, path_before, viewers_before)
      values ('removed', one, was.uid, was.type, was.language, was.parent, was.path, was.viewers);
    delete from announced_content a where a.oid = one;
    return;
  end if;
  -- For readers an object that was removed and is back has never been away.
  if events @> '[{"event": "removed"}]' then
    events := (select coalesce(jsonb_agg(value order by ordinality), '[{"event": "changed", "data": {}}]')
      from jsonb_array_elements(events) with ordinality where value->>'event' not in ('created', 'restored', 'removed'));
  end if;
  if jsonb_array_length(events) = 0 then
    if was.path = is_now.path and was.viewers = is_now.viewers then
      return;
    end if;
    events := jsonb_build_array(jsonb_build_object('event', case when was.path = is_now.path then 'rights' else 'moved' end));
  end if;
  -- The first event has what was before: the others follow it in the same state.
  for place in 0 .. jsonb_array_length(events) - 1 loop
    insert into content_event (event, oid, uid, type, language_before, language, parent_before, parent, path_before, path, viewers_before,
        viewers, data)
      values (events->place->>'event', one, is_now.uid, is_now.type, was.language, is_now.language, was.parent, is_now.parent,
        was.path, is_now.path, was.viewers, is_now.viewers, coalesce(events->place->'data', '{}'));
    if was is distinct from is_now then
      update announced_content a set uid = is_now.uid, parent = is_now.parent, path = is_now.path, type = is_now.type,
        language = is_now.language, viewers = is_now.viewers where a.oid = one;
      was := is_now;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.announceable(dated boolean)
 RETURNS TABLE(oid bigint, uid text, parent bigint, path text, type text, language text, viewers text[])
 LANGUAGE sql
 STABLE
AS $function$
  select c.oid, c.uid, c.parent, c.path, c.type, c.language,
    case when not dated or c.parent is null
        or coalesce(c.effective, '-infinity') <= now() and coalesce(c.expires, 'infinity') > now() then k.allowed
      else array(select unnest(k.allowed) intersect select unnest(k.inactive_allowed) order by 1) end
  from content c cross join lateral (select * from catalog k where k.oid = c.oid offset 0) k
$function$;

CREATE OR REPLACE FUNCTION public.await_write_lease()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  holder text;
  held text;
begin
  held := pg_advisory_xact_lock_shared(4072026004);
  select process into holder from write_lease;
  if holder = current_setting('application_name') then
    return;
  end if;
  held := pg_advisory_xact_lock_shared(4072026005);
  for attempt in 1..50 loop
    select process into holder from write_lease;
    if not found then
      return;
    end if;
    perform pg_sleep(0.05);
  end loop;
  delete from write_lease where process in (select process from write_lease where process = holder for update skip locked);
end
$function$;

CREATE OR REPLACE FUNCTION public.content_row(data jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when data->'fields' ?| array['blocks', 'blocks_layout', 'text'] then data || jsonb_build_object(
    'fields', (data->'fields') - array['blocks', 'blocks_layout', 'text'],
    'blocks', data->'fields'->'blocks', 'blocks_layout', data->'fields'->'blocks_layout', 'text', data->'fields'->'text') else data end
$function$;

CREATE OR REPLACE FUNCTION public.note_anything(noted text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.note_at_end(one bigint, lists bigint[])
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  noting text := coalesce(current_setting('canopy.noting', true), '');
  objects bigint[] := '{}';
  containers bigint[] := '{}';
begin
  if noting = 'anything' then
    return noting;
  end if;
  if noting <> '' then
    objects := split_part(noting, ' ', 1);
    containers := split_part(noting, ' ', 2);
  end if;
  if not objects @> array[one] then
    objects := objects || one;
  end if;
  if not containers @> lists then
    containers := containers || lists;
  end if;
  if one is null or cardinality(objects) > 50 then
    return set_config('canopy.noting', 'anything', true);
  end if;
  return set_config('canopy.noting', objects::text || ' ' || containers::text, true);
end
$function$;

CREATE OR REPLACE FUNCTION public.note_catalog_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  one bigint;
  ended text;
begin
  if noted = 'anything' or current_setting('canopy.noting', true) = 'anything' then
    return null;
  end if;
  if tg_op = 'DELETE' then one := old.oid; else one := new.oid; end if;
  if noted <> '' and split_part(noted, ' ', 2)::bigint[] @> array[one] then
    return null;
  end if;
  ended := note_at_end(one, array(select parent from content where oid = one and parent is not null));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_changed_objects(changed bigint[], lists bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  notes int := 0;
  objects bigint[] := '{}';
  containers bigint[] := '{}';
  ended text;
begin
  if changed is null or noted = 'anything' then
    return;
  end if;
  if noted = '' then
    ended := await_write_lease();
  else
    notes := split_part(noted, ' ', 1);
    objects := split_part(noted, ' ', 2);
    containers := split_part(noted, ' ', 3);
    if objects @> changed and containers @> lists then
      return;
    end if;
  end if;
  if cardinality(changed) > 50 or notes >= 50 then
    ended := note_anything(noted);
    return;
  end if;
  ended := set_config('canopy.noted', concat_ws(' ', notes + 1, objects || changed, containers || lists), true);
  insert into site_change (xid, objects, containers) values (pg_current_xact_id(), changed, lists);
end
$function$;

CREATE OR REPLACE FUNCTION public.note_content_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  one bigint;
  lists bigint[];
  ended text;
begin
  if noted = 'anything' or current_setting('canopy.noting', true) = 'anything' then
    return null;
  end if;
  if tg_op = 'DELETE' then
    one := old.oid;
    lists := array[old.parent];
  else
    one := new.oid;
    lists := array[new.parent];
  end if;
  if tg_op = 'UPDATE' and old.parent is distinct from new.parent then
    lists := lists || old.parent;
  end if;
  lists := array_remove(lists, null);
  if noted <> '' and split_part(noted, ' ', 2)::bigint[] @> array[one] and split_part(noted, ' ', 3)::bigint[] @> lists then
    return null;
  end if;
  ended := note_at_end(one, lists);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_object_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  one bigint;
  other bigint;
  ended text;
begin
  if noted = 'anything' or current_setting('canopy.noting', true) = 'anything' then
    return null;
  end if;
  -- A column that is named here is read without making JSON of the row.
  if tg_argv[0] = 'content' then
    if tg_op = 'DELETE' then one := old.content; else one := new.content; end if;
    if tg_op = 'UPDATE' then other := old.content; else other := one; end if;
  elsif tg_argv[0] = 'oid' then
    if tg_op = 'DELETE' then one := old.oid; else one := new.oid; end if;
    if tg_op = 'UPDATE' then other := old.oid; else other := one; end if;
  else
    one := (to_jsonb(case when tg_op = 'DELETE' then old else new end)->>tg_argv[0])::bigint;
    other := case when tg_op = 'UPDATE' then (to_jsonb(old)->>tg_argv[0])::bigint else one end;
  end if;
  if noted <> '' and split_part(noted, ' ', 2)::bigint[] @> array[one, other] then
    return null;
  end if;
  ended := note_at_end(one, '{}');
  if other is distinct from one then
    ended := note_at_end(other, '{}');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  noting text := coalesce(current_setting('canopy.noting', true), '');
  ended text;
begin
  if noting = '' then
    return null;
  end if;
  ended := set_config('canopy.noting', '', true);
  if noting = 'anything' then
    ended := note_anything(coalesce(current_setting('canopy.noted', true), ''));
  else
    ended := note_changed_objects(split_part(noting, ' ', 1)::bigint[], split_part(noting, ' ', 2)::bigint[]);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_search_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_changed_objects('{0}', '{}');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_site_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_anything(coalesce(current_setting('canopy.noted', true), ''));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.reject_outdated()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Content has changed since it was looked up' using errcode = 'CN001';
end $function$;

-- Triggers

CREATE TRIGGER access_token_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.access_token FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER account_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.account FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER catalog_change AFTER TRUNCATE ON public.catalog FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER catalog_changed AFTER INSERT OR DELETE OR UPDATE ON public.catalog FOR EACH ROW EXECUTE FUNCTION note_catalog_row();

CREATE TRIGGER catalog_noted AFTER INSERT OR DELETE OR UPDATE ON public.catalog FOR EACH STATEMENT EXECUTE FUNCTION note_rows();

CREATE TRIGGER configuration_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.configuration FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER content_change AFTER TRUNCATE ON public.content FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER content_changed AFTER INSERT OR DELETE OR UPDATE ON public.content FOR EACH ROW EXECUTE FUNCTION note_content_row();

CREATE TRIGGER content_noted AFTER INSERT OR DELETE OR UPDATE ON public.content FOR EACH STATEMENT EXECUTE FUNCTION note_rows();

CREATE TRIGGER content_regrouped AFTER UPDATE OF translation_group, language ON public.content FOR EACH ROW WHEN (((new.translation_group IS NOT NULL) AND ((old.translation_group IS DISTINCT FROM new.translation_group) OR (old.language IS DISTINCT FROM new.language)))) EXECUTE FUNCTION note_site_change();

CREATE TRIGGER content_translated AFTER INSERT ON public.content FOR EACH ROW WHEN ((new.translation_group IS NOT NULL)) EXECUTE FUNCTION note_site_change();

CREATE TRIGGER embedding_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.embedding FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER file_text_change AFTER DELETE OR UPDATE OF text OR TRUNCATE ON public.file_text FOR EACH STATEMENT EXECUTE FUNCTION note_search_change();

CREATE TRIGGER group_member_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.group_member FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER issued_token_change AFTER TRUNCATE ON public.issued_token FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER issued_token_changed AFTER DELETE OR UPDATE ON public.issued_token FOR EACH ROW EXECUTE FUNCTION note_site_change();

CREATE TRIGGER principal_group_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.principal_group FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER signing_key_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.signing_key FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER site_state_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.site_state FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();

CREATE TRIGGER working_copy_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.working_copy FOR EACH STATEMENT EXECUTE FUNCTION note_site_change();
