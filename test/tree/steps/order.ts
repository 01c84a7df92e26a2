import fc from 'fast-check';
import type { Node } from '../model.ts';
import { valuesOf } from '../model.ts';
import { pickFrom } from '../tree.ts';
import { patch } from './change.ts';
import { attempt, steps, which } from './step.ts';

type Delta = 'top' | 'bottom' | number;

function moveChild(container: Node, child: Node, delta: Delta): void {
  const at = container.children.indexOf(child);
  const rest = container.children.filter((node) => node !== child);
  const wanted = delta === 'top' ? 0 : delta === 'bottom' ? rest.length : at + delta;
  rest.splice(Math.min(Math.max(wanted, 0), rest.length), 0, child);
  container.children = rest;
}

/** Moves one child within its container. */
export const reorderings = steps(
  'reorder',
  fc.record({
    which,
    delta: fc.oneof(fc.constantFrom<Delta[]>('top', 'bottom'), fc.integer({ min: -3, max: 3 })),
  }),
  async (world, { which: number, delta }) => {
    const { tree } = world;
    const child = pickFrom(
      tree.all().filter(({ parent }) => parent && parent.children.length > 1),
      number,
    );
    const container = child?.parent;
    if (!container) return;
    const refusal = tree.isLocked(container) ? 403 : undefined;
    await attempt(refusal, () =>
      patch(world, container, {}, { ordering: { id: child.name, delta, subsetIds: undefined } }),
    );
    if (refusal !== undefined) return;
    moveChild(container, child, delta);
    child.placed = tree.now;
  },
);

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const SORTS = { id: ({ name }: Node) => name, sortable_title: (node: Node) => valuesOf(node).title };

/** Sorts all children of a container by a key. */
export const sortings = steps(
  'sort',
  fc.record({
    which,
    on: fc.constantFrom<(keyof typeof SORTS)[]>('id', 'sortable_title'),
    order: fc.constantFrom('ascending', 'descending'),
  }),
  async (world, { which: number, on, order }) => {
    const { tree } = world;
    const full = tree.all().filter(({ children }) => children.length > 1);
    const container = (number % 4 > 0 ? pickFrom(full, number) : undefined) ?? tree.pick(number);
    const refusal = tree.isLocked(container) ? 403 : container.type === 'Link' ? 400 : undefined;
    await attempt(refusal, () => patch(world, container, {}, { sort: { on, order } }));
    if (refusal !== undefined) return;
    const sign = order === 'ascending' ? 1 : -1;
    container.children.sort((a, b) => sign * collator.compare(SORTS[on](a), SORTS[on](b)));
    for (const child of container.children) child.placed = tree.now;
  },
);
