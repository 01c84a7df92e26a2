/** A part of a message: fixed text, or the name of a placeholder. */
type Part = { text: string } | { name: string };

/** The values of placeholders by their names. */
type Values = ReadonlyMap<string, string>;

const PLACEHOLDER = /\{([a-z][A-Za-z0-9]*)\}/g;

/** The names of the placeholders of a message, such as `name` for `The id "{name}" is reserved.`, in their order. */
export const placeholdersOf = (message: string): string[] =>
  [...message.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

function partsOf(message: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of message.matchAll(PLACEHOLDER)) {
    if (found.index > end) parts.push({ text: message.slice(end, found.index) });
    parts.push({ name: found[1] ?? '' });
    end = found.index + found[0].length;
  }
  if (end < message.length) parts.push({ text: message.slice(end) });
  return parts;
}

/** Puts values into a message. Placeholders without a value stay unchanged. */
export const fillMessage = (message: string, values: Values): string =>
  message.replace(PLACEHOLDER, (placeholder, name: string) => values.get(name) ?? placeholder);

/**
 * A message with placeholders that recognizes the texts that were made from it. Errors, notes of versions and results of jobs are English texts,
 * which are stored and logged in English; templates translate them for a reader of another language.
 */
export class MessageTemplate {
  readonly id: string;
  /** Number of characters outside of placeholders: of two templates that fit a text, the one with more fixed characters counts. */
  readonly fixedLength: number;
  readonly #parts: readonly Part[];

  constructor(id: string) {
    this.id = id;
    this.#parts = partsOf(id);
    this.fixedLength = this.#parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  }

  /**
   * The values with which the template makes this text; undefined when it cannot. The time is linear in the length of the text, which may contain
   * input of a client: each placeholder ends where the fixed text behind it is found first.
   */
  match(text: string): Values | undefined {
    const values = new Map<string, string>();
    let at = 0;
    for (const [index, part] of this.#parts.entries()) {
      if ('text' in part) {
        if (!text.startsWith(part.text, at)) return undefined;
        at += part.text.length;
        continue;
      }
      const next = this.#parts[index + 1];
      const isLast = index + 2 >= this.#parts.length;
      const fixed = next !== undefined && 'text' in next ? next.text : '';
      const end = isLast ? text.length - fixed.length : text.indexOf(fixed, at);
      if (end < at) return undefined;
      const value = text.slice(at, end);
      if ((values.get(part.name) ?? value) !== value) return undefined;
      values.set(part.name, value);
      at = end;
    }
    return at === text.length ? values : undefined;
  }
}
