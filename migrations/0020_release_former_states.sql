-- The states that content had before a release has changed its workflow, by which the change is undone: one row an object, in the tree or in the
-- recycle bin. A release that changes several workflows has several steps.
create table release_former_state (
  release text not null references release (id) on delete cascade,
  step integer not null,
  uid text not null,
  -- Null for none.
  former text,
  present text,
  primary key (release, step, uid)
);
