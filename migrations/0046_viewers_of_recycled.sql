-- Who could view an object when it was deleted: others who deleted the container are not shown it. Unknown for what was deleted before.
alter table recycled_object add column viewers text[];
