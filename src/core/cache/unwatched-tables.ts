import type { Statement } from '../../database/database.ts';
import { Slot } from '../../lib/slots.ts';

/** Statements whose tables are remembered; with more all are looked at again. */
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
 * The tables whose changes are no changes of the site: nothing is cached that statements have read which name one of them. A statement
 * cannot read a table whose name is not in it, whatever its values are and however it is planned. A name that stands for something
 * else, such as a column, keeps a response out of the cache, which is safe.
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

  /** Returns those whose names are in a statement. They are looked for once for each text. */
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

/** The tables whose changes are no changes of the site. */
export const UNWATCHED_TABLES = new Slot<UnwatchedTables>('tables whose changes nothing notes');
