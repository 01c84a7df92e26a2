-- Whole sites are listed in the order of these: objects without a date of publication come where the earliest one would.
drop index content_effective;
create index content_effective on content (effective nulls first);
create index catalog_sortable_title on catalog (sortable_title);
