-- What is checked out: a working copy and the content that it stands for. The lock of the baseline is here and nowhere
-- else, so it ends with the row, and the row ends with either side. Apart from `content`, for who copies a working
-- copy makes no other one of them.
create table working_copy (
  copy bigint primary key references content (oid) on delete cascade,
  baseline bigint not null unique references content (oid) on delete cascade,
  lock jsonb not null,
  constraint working_copy_of_another check (copy <> baseline)
);
