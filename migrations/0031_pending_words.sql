-- Searches read what waits to enter an index of words: at four megabytes, where it begins to be moved by itself, that took PostgreSQL twice as
-- long as the search, and the embedded engine several times as long. A quarter of a megabyte is what some two hundred pages bring.
alter index catalog_searchable set (gin_pending_list_limit = 256);
alter index catalog_allowed set (gin_pending_list_limit = 256);
alter index catalog_title_words set (gin_pending_list_limit = 256);
