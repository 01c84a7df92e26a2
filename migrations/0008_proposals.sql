-- Proposals (features/proposals)

-- Writes that somebody hands in and somebody else approves. `requests` is their JSON, as a text: bodies may have characters that jsonb does not
-- take.
create table proposal (
  id text primary key,
  creator text not null references account (id) on delete cascade,
  title text not null,
  comment text not null,
  requests text not null,
  created timestamptz not null,
  -- When its creator changed it last.
  changed timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'expired')),
  decided timestamptz,
  -- Null for what expired, and once the user is gone.
  decided_by text references account (id) on delete set null,
  decision text not null default '',
  -- The numbers of the requests that were done.
  approved integer[],
  constraint proposal_decided check ((decided is not null) = (state <> 'pending'))
);
create index proposal_state on proposal (state, created desc, id);
create index proposal_creator on proposal (creator, state);
create index proposal_decided_by on proposal (decided_by);

-- The objects that the requests of a proposal touch, with their state at that time. Content may go, and come back from the recycle bin under
-- its UID.
create table proposal_target (
  proposal text not null references proposal (id) on delete cascade,
  request integer not null,
  uid text not null,
  path text collate "C" not null,
  kind text not null check (kind in ('add', 'change', 'remove', 'transition', 'view')),
  modified timestamptz not null,
  primary key (proposal, request, uid, kind)
);
create index proposal_target_uid on proposal_target (uid);

-- The users and groups that are asked, whether or not there are such.
create table proposal_reviewer (
  proposal text not null references proposal (id) on delete cascade,
  reviewer text not null,
  primary key (proposal, reviewer)
);
create index proposal_reviewer_reviewer on proposal_reviewer (reviewer);

create table proposal_comment (
  id text primary key,
  proposal text not null references proposal (id) on delete cascade,
  -- Null once the user is gone.
  author text references account (id) on delete set null,
  created timestamptz not null,
  text text not null
);
create index proposal_comment_proposal on proposal_comment (proposal, created);
create index proposal_comment_author on proposal_comment (author);
