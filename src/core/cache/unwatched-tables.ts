import type { Statement } from '../../database/database.ts';
import { Slot } from '../../lib/slots.ts';

/** Maximum number of statements whose tables are cached; with more, the cache begins anew. */
const MAX_KNOWN = 2000;

/** The characters of names in SQL that need no quotes. */
const NAME_CHARACTERS = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_');

const isWithinName = (character: string | undefined): boolean =>
  character !== undefined && NAME_CHARACTERS.has(character);

/** Says if a name stands in a text, not as a part of a longer name. */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!isWithinName(text[at - 1]) && !isWithinName(text[at + name.length])) return true;
  return false;
}

/**
 * The tables whose changes are not noted as changes of the site. Rows of statements that name such a table are not cached. A statement cannot read a
 * table that it does not name, with any values and any plan. If the name means something else, such as a column, the response is not cached either,
 * which is safe.
 */
export class UnwatchedTables {
  readonly #names: Set<string>;
  readonly #known = new Map<string, readonly string[]>();

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** Adds tables that were found in the database. */
  add(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    this.#known.clear();
  }

  /** Returns the tables that a statement names. Each text is searched once. */
  namedBy({ text }: Pick<Statement, 'text'>): readonly string[] {
    const known = this.#known.get(text);
    if (known) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const named = [...this.#names].filter((name) => hasName(text, name));
    this.#known.set(text, named);
    return named;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }
}

/** The tables whose changes are not noted as changes of the site. */
export const UNWATCHED_TABLES = new Slot<UnwatchedTables>('tables whose changes nothing notes');
