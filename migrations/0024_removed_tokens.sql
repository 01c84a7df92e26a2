-- Statements that remove no token change nothing (core/cache)

-- Each login looks for expired tokens to remove, and mostly finds none.
create or replace trigger issued_token_change after truncate on issued_token for each statement execute function note_site_change();
create trigger issued_token_changed after update or delete on issued_token for each row execute function note_site_change();
