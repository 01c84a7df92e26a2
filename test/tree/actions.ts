import fc from 'fast-check';
import { createContent } from '../../src/content/create-content.ts';
import { locate } from '../../src/content/locate.ts';
import { removeContent } from '../../src/content/remove-content.ts';
import { transitionContent } from '../../src/content/transition-content.ts';
import { updateContent } from '../../src/content/update-content.ts';
import { BadRequest } from '../../src/lib/errors.ts';
import type { Kernel } from '../../src/site/kernel.ts';
import { manager } from '../content/make.ts';
import type { Model, Node, Transition } from './model.ts';

/** One thing that an admin does. Numbers choose among the objects that there are. */
export type Action =
  | { kind: 'create'; at: number; title: string; id: string | undefined; to: number[] }
  | { kind: 'rename'; which: number; name: string }
  | { kind: 'reorder'; which: number; delta: 'top' | 'bottom' | number }
  | { kind: 'link'; which: number; to: number[] }
  | { kind: 'remove'; which: number }
  | { kind: 'transition'; which: number; transition: Transition; children: boolean };

const which = fc.nat({ max: 30 });
const to = fc.array(which, { maxLength: 3 });
const name = fc.constantFrom('a', 'b', 'c', 'a-1');
export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      at: which,
      title: fc.constantFrom('A', 'a', 'B', 'C'),
      id: fc.option(name, { nil: undefined, freq: 3 }),
      to,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), which, name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reorder' as const),
      which,
      delta: fc.oneof(fc.constantFrom<('top' | 'bottom')[]>('top', 'bottom'), fc.integer({ min: -3, max: 3 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), which, to }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transition' as const),
      which,
      transition: fc.constantFrom<Transition[]>('publish', 'submit', 'retract', 'reject'),
      children: fc.boolean(),
    }),
  },
);

const ADMIN = manager();
const BASES = ['https://e.com'];

/** Related items by UID, and blocks that link to the same objects by path and by address. */
function references(model: Model, to: number[]): Record<string, unknown> {
  const nodes = model.all();
  const targets = to.flatMap((number) => nodes[number % nodes.length] ?? []);
  const blocks = Object.fromEntries(
    targets.map((target, i) => [
      `b${i}`,
      { '@type': 'teaser', href: [{ '@id': `${i % 2 ? BASES[0] : ''}${model.path(target)}` }] },
    ]),
  );
  return { relatedItems: targets.map(({ uid }) => uid), blocks, blocks_layout: { items: Object.keys(blocks) } };
}

/** Whether the server refused, as it may only refuse what is asked wrongly. Throws anything else. */
async function refused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof BadRequest) return true;
    throw error;
  }
}

function expectRefusal(asked: Action, expected: boolean, found: boolean): void {
  if (expected !== found) throw new Error(`${JSON.stringify(asked)} was ${found ? '' : 'not '}refused`);
}

/** Does one action on the server and in the model, which must agree on whether it can be done. */
export async function perform(kernel: Kernel, model: Model, asked: Action): Promise<void> {
  const nodes = model.all();
  const chosen = nodes[(asked.kind === 'create' ? asked.at : asked.which) % nodes.length] ?? model.root;
  const path = model.path(chosen);
  const finding = await locate(kernel, path);
  const update = (node: string, input: Record<string, unknown>, at = finding) =>
    updateContent(kernel, { caller: ADMIN, path: node, input, bases: BASES, lockToken: undefined }, at);
  switch (asked.kind) {
    case 'create':
      return create(kernel, model, chosen, asked);
    case 'rename': {
      if (chosen === model.root) return;
      const taken = siblings(chosen).some((node) => node.name === asked.name);
      expectRefusal(asked, taken, await refused(update(path, { id: asked.name })));
      if (!taken) chosen.name = asked.name;
      return;
    }
    case 'reorder': {
      if (!chosen.parent) return;
      const container = model.path(chosen.parent);
      await update(
        container,
        { ordering: { obj_id: chosen.name, delta: asked.delta } },
        await locate(kernel, container),
      );
      return model.move(chosen, chosen.name, asked.delta);
    }
    case 'link':
      await update(path, references(model, asked.to));
      return;
    case 'remove':
      if (chosen === model.root) return;
      await removeContent(kernel, { caller: ADMIN, path, lockToken: undefined });
      return model.remove(chosen);
    case 'transition': {
      const { transition, children } = asked;
      const done = transitionContent(kernel, { caller: ADMIN, path, transition, includeChildren: children });
      expectRefusal(asked, !model.takes(chosen, transition), await refused(done));
      if (model.takes(chosen, transition)) model.transition(chosen, transition, children);
    }
  }
}

const siblings = (node: Node): Node[] => (node.parent?.children ?? []).filter((other) => other !== node);

async function create(
  kernel: Kernel,
  model: Model,
  container: Node,
  asked: Extract<Action, { kind: 'create' }>,
): Promise<void> {
  const path = model.path(container);
  const uid = crypto.randomUUID();
  const { id, title } = asked;
  const input = {
    '@type': 'Page',
    title,
    UID: uid,
    ...references(model, asked.to),
    ...(id === undefined ? {} : { id }),
  };
  const taken = id !== undefined && container.children.some((node) => node.name === id);
  let made = '';
  const work = createContent(
    kernel,
    { caller: ADMIN, container: path, input, bases: BASES },
    await locate(kernel, path),
  );
  const wasRefused = await refused(
    work.then((answer) => {
      made = answer;
    }),
  );
  expectRefusal(asked, taken, wasRefused);
  if (!taken) model.add(container, made.slice(path.length + 1), uid);
}
