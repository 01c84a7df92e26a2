/** A comment as the parser of sources returns it. */
type Comment = { type: string; value: string; start: number; end: number };

/** The text of a docstring without its stars and tags. */
const textOf = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .split(/^@/m)[0]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

/** The docstring that ends right before a position of a text; empty without one. */
export function docstringBefore(text: string, comments: readonly Comment[], position: number): string {
  const last = comments.findLast(({ end }) => end <= position);
  // Directives for tools may stand between a docstring and its declaration.
  const between = last && text.slice(last.end, position).trim();
  if (last && between === '' && last.type === 'Line') return docstringBefore(text, comments, last.start);
  return last && between === '' && last.value.startsWith('*') ? textOf(last.value.slice(1)) : '';
}
