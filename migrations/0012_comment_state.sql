-- Whether a comment is shown: `published`, or `pending` and `rejected`, which few may see.
alter table comment add column review_state text not null default 'published';
