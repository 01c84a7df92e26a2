-- What visitors have sent with the form blocks of content. It is kept apart from the content: not in its fields, versions, catalog.
create table form_submission (
  id bigint generated always as identity primary key,
  content bigint not null references content (oid) on delete cascade,
  -- The id of the block. The block may be gone.
  block text not null,
  created timestamptz not null,
  -- Days after which it goes, as the block said then; null for never. The block counts as long as it is there.
  days double precision,
  -- The fields that there are values of, in the order of the form: [{"id", "label", "form"}].
  fields jsonb not null,
  data jsonb not null
);
create index form_submission_block on form_submission (content, block, id);
create index form_submission_created on form_submission (created) where days is not null;
