-- Tokens of agents: the kinds of work that they are good for, null for tokens of other programs; and if what they write may be public.
alter table access_token add column scopes text[];
alter table access_token add column publishes boolean not null default false;
