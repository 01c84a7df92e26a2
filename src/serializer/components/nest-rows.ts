/** What tells where a row of a tree belongs. */
type Row = { level: number; oid: number; parent: number | null };

/**
 * Puts rows into a tree: `rows` have containers before what is in them and siblings in their order. Level 0, the root
 * itself, is left out. `render` makes the node of a row; `items` is filled in later.
 */
export function nestRows<R extends Row, N extends object>(
  rows: readonly R[],
  render: (row: R) => N,
): (N & { items: N[] })[] {
  const top: (N & { items: N[] })[] = [];
  const items = new Map<number, N[]>();
  for (const row of rows) {
    if (row.level === 0) continue;
    const below: N[] = [];
    const node = { ...render(row), items: below };
    items.set(row.oid, below);
    if (row.level === 1) top.push(node);
    else items.get(row.parent ?? 0)?.push(node);
  }
  return top;
}
