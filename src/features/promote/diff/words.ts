import type { PlanEntry, PlanPiece } from '../forms/plan.ts';

/** Names of parts in a line. */
const MAX_PARTS = 12;

const listed = (names: readonly string[]): string =>
  names.length > MAX_PARTS ? `${names.slice(0, MAX_PARTS).join(', ')}, … (${names.length})` : names.join(', ');

/** The blocks that differ between two values of the field `blocks`. */
function blocksThatDiffer(from: unknown, to: unknown): string[] {
  const [one, other] = [from, to].map(
    (blocks): Record<string, unknown> => (typeof blocks === 'object' && blocks !== null ? { ...blocks } : {}),
  );
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...names].filter((name) => JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name])).sort();
}

/** The names of the parts that an entry changes. */
function partsOf({ values, settings, layout }: Extract<PlanEntry, { change: 'changed' }>): string[] {
  const fields = Object.entries(values).flatMap(([name, both]) => {
    if (JSON.stringify(both.from) === JSON.stringify(both.to)) return [];
    if (name !== 'blocks') return [name];
    return [`blocks (${listed(blocksThatDiffer(both.from, both.to))})`];
  });
  return [...fields, ...(layout ? ['layout'] : []), ...Object.keys(settings)];
}

/** A line for people about an entry. */
export function entryLine(entry: PlanEntry): string {
  if (entry.change === 'created') return `+ ${entry.path} (${entry.type})`;
  if (entry.change === 'removed') return `- ${entry.path}`;
  if (entry.change === 'ordered') return `~ ${entry.path}: order of its children`;
  const parts = partsOf(entry);
  const moved = entry.place ? [`moved here from the id "${entry.place.from.name}"`] : [];
  return `~ ${entry.path}: ${[...moved, ...(parts.length > 0 ? [listed(parts)] : [])].join('; ')}`;
}

/** A line for people about a piece of the set-up. */
export function pieceLine({ kind, id, from, to }: PlanPiece): string {
  const sign = from === undefined ? '+' : to === undefined ? '-' : '~';
  const names =
    sign === '~' && typeof from === 'object' && typeof to === 'object'
      ? Object.keys({ ...from, ...to }).filter(
          (name) => JSON.stringify(memberOf(from, name)) !== JSON.stringify(memberOf(to, name)),
        )
      : [];
  return `${sign} set-up: ${kind} ${id}${names.length > 0 && !Array.isArray(to) ? `: ${listed(names.sort())}` : ''}`;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
