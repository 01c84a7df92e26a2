-- The link by which the first account of a new site gets its password counts only while the site has no other account.
alter table password_reset add column only_account boolean not null default false;
