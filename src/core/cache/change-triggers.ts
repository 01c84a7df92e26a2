import type { Database } from '../../database/database.ts';
import { LOCK } from '../../database/migrate.ts';

/**
 * How changes of the rows of a table invalidate cached responses (docs/caching-inside.md): any change of the table is a change of `anything`, or of
 * the `object` whose number is in the column of this name. `noted` tables have triggers made by migrations, for the given reason. No cached response
 * is made from an `unread` table, for the given reason.
 */
export type TableChanges = 'anything' | { object: string } | { noted: string } | { unread: string };

/** A table with the rule by which its changes invalidate responses. */
export type WatchedTable = { name: string; changes: TableChanges };

/** Says if the changes of a table are not noted. */
export const isUnread = ({ changes }: WatchedTable): boolean => typeof changes === 'object' && 'unread' in changes;

/** A trigger for each statement, or for each row; `args` are the arguments of its function. */
type Trigger = { name: string; table: string; events: number; calls: string; args: string };

/** Bits of `pg_trigger.tgtype`. */
const EVENTS = { insert: 4, delete: 8, update: 16, truncate: 32 };
const EACH_ROW = 1;

const NAME = /^[a-z_][a-z0-9_]{0,52}$/;

/** The triggers that a table needs, if any. */
function triggersOf({ name, changes }: WatchedTable): Trigger[] {
  const ofAnything = {
    name: `${name}_change`,
    table: name,
    calls: 'note_site_change',
    args: '',
    events: EVENTS.truncate,
  };
  // Statements run without rows, too: the removal of an object removes its rows of many tables, which have rows of few objects.
  const changed = EVENTS.insert | EVENTS.update | EVENTS.delete;
  const ofRows = { ...ofAnything, name: `${name}_changed`, events: EACH_ROW | changed };
  if (changes === 'anything') return [ofAnything, ofRows];
  if (!('object' in changes)) return [];
  return [
    ofAnything,
    { ...ofRows, calls: 'note_object_row', args: changes.object },
    // Writes what the rows of a statement have noted.
    { ...ofAnything, name: `${name}_noted`, events: changed, calls: 'note_rows' },
  ];
}

function creationOf({ name, table, events, calls, args }: Trigger): string {
  const words = Object.entries(EVENTS).flatMap(([event, bit]) => (events & bit ? [event] : []));
  return `create or replace trigger ${name} after ${words.join(' or ')} on ${table}
    for each ${events & EACH_ROW ? 'row' : 'statement'} execute function ${calls}(${args === '' ? '' : `'${args}'`});`;
}

/** A table or view of the database, with its columns of whole numbers, as far as objects are noted by them, and its triggers. */
type Relation = { name: string; isTable: boolean; numbers: Set<string>; triggers: Omit<Trigger, 'table'>[] };

/** The columns whose numbers of content say which objects changed. */
const objectColumns = (tables: readonly WatchedTable[]): string[] => [
  ...new Set(tables.flatMap(({ changes }) => (changes !== 'anything' && 'object' in changes ? [changes.object] : []))),
];

/**
 * Loads the tables and views by their names. Each start runs these statements, in a new embedded database: three plain scans take a third of the time of
 * one statement with joins.
 */
async function loadRelations(db: Database, tables: readonly WatchedTable[]): Promise<Map<string, Relation>> {
  const found = await db.query<{ oid: number; name: string; isTable: boolean }>({
    text: `select oid, relname as name, relkind in ('r', 'p') as "isTable" from pg_class
      where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = current_schema()::regnamespace`,
  });
  const byOid = new Map<number, Relation>();
  for (const { oid, ...relation } of found) byOid.set(oid, { ...relation, numbers: new Set(), triggers: [] });
  const columns = await db.query<{ relation: number; name: string }>({
    text: `select attrelid as relation, attname as name from pg_attribute
      where attname = any($1::name[]) and attnum > 0 and atttypid = 'bigint'::regtype`,
    values: [objectColumns(tables)],
  });
  for (const { relation, name } of columns) byOid.get(relation)?.numbers.add(name);
  const triggers = await db.query<Omit<Trigger, 'table'> & { relation: number }>({
    text: `select tgrelid as relation, tgname as name, tgtype::integer as events, (select proname from pg_proc where oid = tgfoid) as calls,
        replace(encode(tgargs, 'escape'), '\\000', '') as args
      from pg_trigger where not tgisinternal`,
  });
  for (const { relation, ...trigger } of triggers) byOid.get(relation)?.triggers.push(trigger);
  return new Map([...byOid.values()].map((relation) => [relation.name, relation]));
}

/** The error for a table with a wrong declaration. */
export class WrongTable extends Error {
  readonly table: string;

  constructor(table: string, problem: string) {
    super(`The table "${table}" ${problem}`);
    this.name = 'WrongTable';
    this.table = table;
  }
}

/** The mistake in the declaration of a table; undefined for none. */
function problemOf({ name, changes }: WatchedTable, relation: Relation | undefined): string | undefined {
  if (!NAME.test(name)) return `has a name that is no plain one of the database`;
  if (changes !== 'anything' && 'unread' in changes) return undefined;
  if (!relation?.isTable) return 'is not in the database';
  if (changes === 'anything') return undefined;
  if ('noted' in changes) return relation.triggers.length > 0 ? undefined : 'has no trigger that notes its changes';
  if (relation.numbers.has(changes.object)) return undefined;
  return `has no column "${changes.object}" with numbers of content (bigint)`;
}

/**
 * Makes the missing triggers of the tables, so that every change invalidates the responses that depend on it. Several processes may call it at once.
 * Returns the tables and views of the database that are not in `tables`.
 * @throws WrongTable for a wrong declaration
 */
export async function makeChangeTriggers(db: Database, tables: readonly WatchedTable[]): Promise<string[]> {
  const relations = await loadRelations(db, tables);
  for (const table of tables) {
    const problem = problemOf(table, relations.get(table.name));
    if (problem !== undefined) throw new WrongTable(table.name, problem);
  }
  const missing = tables.flatMap(triggersOf).filter((trigger) => {
    const made = relations.get(trigger.table)?.triggers.find(({ name }) => name === trigger.name);
    return made?.events !== trigger.events || made.calls !== trigger.calls || made.args !== trigger.args;
  });
  if (missing.length > 0)
    await db.script([`select pg_advisory_xact_lock(${LOCK});`, ...missing.map(creationOf)].join('\n'));
  const declared = new Set(tables.map(({ name }) => name));
  return [...relations.keys()].filter((name) => !declared.has(name)).sort();
}
