import type { Statement } from '../../database/database.ts';
import { Slot } from '../../lib/slots.ts';

/** Statements whose tables are remembered; with more all are looked at again. */
const MAX_KNOWN = 2000;

const escaped = (name: string): string => name.replace(/[^\w]/g, '\\$&');

/**
 * The tables whose changes are no changes of the site: nothing is kept that statements have read which name one of them. A name that
 * stands for something else in a statement, such as a column, keeps nothing from being right.
 */
export class UnwatchedTables {
  readonly #names: Set<string>;
  readonly #known = new Map<string, readonly string[]>();
  #pattern: RegExp;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
    this.#pattern = this.#compile();
  }

  /** Adds tables that were found in the database. */
  add(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    this.#pattern = this.#compile();
    this.#known.clear();
  }

  /** Those whose names stand in a statement. They are looked for once for each text. */
  namedBy({ text }: Pick<Statement, 'text'>): readonly string[] {
    const known = this.#known.get(text);
    if (known) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const named = [...new Set(text.match(this.#pattern))];
    this.#known.set(text, named);
    return named;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  #compile(): RegExp {
    const names = [...this.#names].map(escaped);
    return new RegExp(names.length === 0 ? '(?!)' : `(?<!\\w)(?:${names.join('|')})(?!\\w)`, 'g');
  }
}

/** The tables whose changes are no changes of the site. */
export const UNWATCHED_TABLES = new Slot<UnwatchedTables>('tables whose changes nothing notes');
