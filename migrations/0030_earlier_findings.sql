-- Writes that rely on an earlier lookup (docs/decisions/0016-statements-go-together.md)

-- Ends a transaction that relies on content as it was looked up, because some of it has changed since.
create function reject_outdated() returns boolean language plpgsql as $$
begin
  raise exception 'Content has changed since it was looked up' using errcode = 'CN001';
end $$;
