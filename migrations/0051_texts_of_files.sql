-- Searches show passages of the texts of files. Nobody knows here which objects have a file, so its text is noted as a change of an
-- object that does not exist: it ends what may be made of anything, as searches are, and nothing else. A file that is new has no text yet.
create function note_search_change() returns trigger language plpgsql as $$
begin
  perform note_changed_objects('{0}', '{}');
  return null;
end
$$;

create trigger file_text_change after delete or truncate or update of text on file_text
  for each statement execute function note_search_change();
