import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../scripts/lib/root.mjs';

/** Texts of SQL in the source: strings and templates that begin as a statement does. */
const TEXTS =
  /(['`])(\s*(?:select|insert into|update|delete from|with|create|drop|alter|set|truncate|savepoint|release|rollback|listen)\s(?:(?!\1)[^\\]|\\.)*)\1/gis;

/**
 * Means of PostgreSQL on one server that statements use, and that a distributed engine has only in part, or not at all. docs/scaling.md
 * says for each engine which of them it has.
 */
export const KINDS = {
  'advisory locks': /pg_(?:try_)?advisory/i,
  'notifications (NOTIFY, LISTEN)': /pg_notify|^\s*listen\s|\b(?:WAKE|SIGNAL)\(/i,
  'numbers of transactions (pg_snapshot, xid8)':
    /pg_snapshot|pg_current_snapshot|pg_current_xact|pg_visible_in|site_change/i,
  'places in the log of writes': /pg_current_wal|pg_last_wal/i,
  'queues (FOR UPDATE SKIP LOCKED)': /skip locked|\bUNCLAIMED\(/i,
  'row locks (FOR UPDATE, FOR SHARE)': /\bfor\s+(?:no key\s+)?(?:update|share|key share)\b/i,
  'recursive queries': /with\s+recursive/i,
  'writes in WITH': /\bas\s+(?:materialized\s+)?\(\s*(?:insert|update|delete)\b/i,
  'upserts (ON CONFLICT)': /on\s+conflict/i,
  'temporary tables': /temp(?:orary)?\s+table/i,
  'settings of a transaction or savepoints': /^\s*(?:set\s|savepoint|release|rollback)|set_config/i,
  'full text': /tsvector|tsquery|searchable/i,
  'joins along the tree (path, parent)': /\bjoin\s+content\b|\.parent\b/i,
};

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

/** Every text of SQL in the source with its file, its line, and the kinds that it belongs to. */
export function statementsOfSource() {
  const found = [];
  for (const file of filesOf(join(ROOT, 'src'))) {
    const source = readFileSync(file, 'utf8');
    for (const { index, 2: text } of source.matchAll(TEXTS)) {
      // Sentences begin with these words as well.
      if (!/\b(?:from|into|set|table|select|savepoint|values|pg_\w+|set_config|local)\b/i.test(text.slice(5))) continue;
      const kinds = Object.entries(KINDS).flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));
      const line = source.slice(0, index).split('\n').length;
      found.push({ file: relative(ROOT, file), line, text, kinds });
    }
  }
  return found;
}
