-- Suggestions while somebody types are found by words of titles: an index of these alone is small and quick.
create index catalog_title_words on catalog using gin (to_tsvector('simple', sortable_title));
