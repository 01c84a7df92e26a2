-- Statistics of content after its rows were made anew (0028)

-- Those of a small table would say that it stays small.
do $$ begin
  if (select count(*) from (select from content limit 1000) few) = 1000 then
    analyze content;
  end if;
end $$;
