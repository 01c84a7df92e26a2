-- Who lists the translations of an object knows its group as it was: another object may come into it by a change that touches none of
-- those that were in it. That is rare, so it counts as a change of anything.
create trigger content_translated after insert on content for each row when (new.translation_group is not null)
  execute function note_site_change();
create trigger content_regrouped after update of translation_group, language on content for each row
  when (new.translation_group is not null
    and (old.translation_group is distinct from new.translation_group or old.language is distinct from new.language))
  execute function note_site_change();
