-- Links that show a proposal without a login, as its writes would leave the site.
create table proposal_link (
  id text primary key,
  proposal text not null references proposal(id) on delete cascade,
  creator text not null references account(id) on delete cascade,
  title text not null,
  hash text not null unique,
  created timestamptz not null,
  expires timestamptz not null
);
create index proposal_link_proposal on proposal_link (proposal, creator);
create index proposal_link_creator on proposal_link (creator);
