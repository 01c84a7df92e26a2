-- The parts of Plone's exports as they were at their last import: an object (by its UID in the export), or something beside the objects (`#…`).
-- `object` is the UID on this site. `parent` is the UID of the container in the export, empty for the root, and `name` the id in it, so that
-- moves are found without reading states. `state` is JSON, deflated: values are merged with it when a newer export is imported.
create table import_base (
  source text not null,
  uid text not null,
  object text not null,
  parent text not null,
  name text not null,
  state bytea not null,
  primary key (source, uid)
);
