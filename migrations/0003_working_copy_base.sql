-- The values that content had when it was checked out: the check-in merges with them. Null for what was checked out before.
alter table working_copy add column base jsonb;
