/** A term of a vocabulary: the stored token, and the title for people. */
export type Term = { token: string; title: string };

/** A filter of terms; all of them unless a member is given. Case makes no difference. */
export type TermFilter = {
  /** Part of the title. */
  title?: string;
  tokens?: readonly string[];
};

/** The requested part of the terms that fit. */
export type TermRequest = TermFilter & { start: number; size: number };

/** A part of the terms, and the number of fitting terms. */
export type TermPage = { items: Term[]; total: number };

/** Terms whose tokens are their titles. */
export const plainTerms = (tokens: readonly string[]): Term[] => tokens.map((token) => ({ token, title: token }));

/** Terms in the order of their titles. */
export const byTitle = (terms: readonly Term[]): Term[] =>
  terms.toSorted((a, b) => a.title.localeCompare(b.title) || (a.token < b.token ? -1 : 1));

/** The requested part of the terms. */
export function termPage(terms: readonly Term[], { title, tokens, start, size }: TermRequest): TermPage {
  const part = title?.toLowerCase();
  const wanted = tokens && new Set(tokens.map((token) => token.toLowerCase()));
  const found = terms.filter(
    (term) =>
      (part === undefined || term.title.toLowerCase().includes(part)) &&
      (wanted === undefined || wanted.has(term.token.toLowerCase())),
  );
  return { items: found.slice(start, start + size), total: found.length };
}
