import type { Statement } from './database.ts';

/** Statements that only read: those that begin so and have no word of writing anywhere. */
const READS = /^\s*(?:select|with)\b(?!.*\b(?:insert|update|delete|merge|truncate)\b)/is;

/** Decides by their text which statements only read. The result for a statement with a name is cached. */
export class ReadCheck {
  readonly #known = new Map<string, boolean>();

  onlyReads({ name, text }: Statement): boolean {
    if (name === undefined) return READS.test(text);
    const known = this.#known.get(name) ?? READS.test(text);
    this.#known.set(name, known);
    return known;
  }
}
