import fc from 'fast-check';
import type { Node, Type, Values } from '../model.ts';
import type { Tree } from '../tree.ts';
import { which } from './step.ts';

export const BASES = ['https://e.com'];

const written = {
  title: fc.constantFrom('A', 'a', 'B', 'Boats'),
  description: fc.constantFrom('', 'Ships were sailing'),
  subjects: fc.subarray(['red', 'blue']),
  hidden: fc.boolean(),
  targets: fc.array(which, { maxLength: 3 }),
  rating: fc.constantFrom(3, 12),
  start: fc.constantFrom('2030-01-31T10:00:00.000Z', '2031-05-01T00:00:00.000Z'),
};

/** Values of new content. Targets are numbers that select objects. */
export const newValues = fc.record(written);

/** Some values of a change. */
export const someValues = fc.record(written, { requiredKeys: [] });

type Asked = Partial<Omit<Values, 'targets'> & { targets: number[] }>;

/** The values with the UIDs of their targets, limited to those that the type has. */
export function readAsked(tree: Tree, type: Type, { targets, start, rating, ...rest }: Asked): Partial<Values> {
  return {
    ...rest,
    ...(targets ? { targets: tree.pickAll(targets).map(({ uid }) => uid) } : {}),
    ...(start !== undefined && type === 'Event' ? { start } : {}),
    ...(rating !== undefined && type === 'Page' ? { rating } : {}),
  };
}

/** Related items by UID, and blocks that link to the same objects by path and by address. */
function referencesTo(tree: Tree, targets: Node[]): Record<string, unknown> {
  const links = targets.map((target, i) => `${i % 2 ? BASES[0] : ''}${tree.path(target)}`);
  const blocks = Object.fromEntries(links.map((link, i) => [`b${i}`, { '@type': 'teaser', href: [{ '@id': link }] }]));
  return {
    relatedItems: targets.map(({ uid }) => uid),
    blocks,
    blocks_layout: { items: Object.keys(blocks) },
  };
}

/** The body of a request that writes the values. */
export function bodyOf(tree: Tree, { targets, start, hidden, ...rest }: Partial<Values>): Record<string, unknown> {
  const nodes = new Map(tree.all().map((node) => [node.uid, node]));
  return {
    ...rest,
    ...(hidden === undefined ? {} : { exclude_from_nav: hidden }),
    ...(targets
      ? referencesTo(
          tree,
          targets.flatMap((uid) => nodes.get(uid) ?? []),
        )
      : {}),
    ...(start === undefined ? {} : { start, end: start }),
  };
}
