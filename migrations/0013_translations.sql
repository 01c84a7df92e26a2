-- A group of translations has one object in each language. Of several the oldest stays in it; without a language none does.
update content c set translation_group = null
  where translation_group is not null and (language is null or exists (
    select 1 from content o where o.translation_group = c.translation_group and o.language = c.language and o.oid < c.oid));

create unique index content_translation on content (translation_group, language) where translation_group is not null;
drop index content_translation_group;
