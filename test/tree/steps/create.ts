import fc from 'fast-check';
import { createContent } from '../../../src/core/content/create-content.ts';
import { newNode, type Type, type Values } from '../model.ts';
import { freeName } from '../names.ts';
import { ADMIN } from '../people.ts';
import { pickFrom } from '../tree.ts';
import { attempt, sometimes, steps, type World, which } from './step.ts';
import { BASES, bodyOf, newValues, readAsked } from './written-values.ts';

const asked = fc.record({
  at: which,
  type: fc.constantFrom<Type[]>('Page', 'Page', 'Page', 'Event', 'Event', 'Link'),
  id: sometimes(2, fc.constantFrom('a', 'b', 'c', 'a-1')),
  /** Selects an object in the bin whose UID the new content gets. */
  uidOf: sometimes(12, which),
  values: newValues,
});

/** Creates content with a given id or one that the server chooses. */
export const creations = steps(
  'create',
  asked,
  async ({ kernel, tree, bin }: World, { at, type, id, uidOf, values }) => {
    const container = tree.pick(at);
    const path = tree.path(container);
    const binned = bin.entries.flatMap(({ paths }) => [...paths.keys()]);
    const reused = uidOf === undefined ? undefined : pickFrom(binned, uidOf)?.uid;
    const uid = reused ?? crypto.randomUUID();
    const nothing = { targets: [], start: undefined, rating: undefined };
    const own: Values = { ...values, ...nothing, ...readAsked(tree, type, values) };
    const isTaken = container.children.some(({ name }) => name === id) || tree.all().some((node) => node.uid === uid);
    const refusal = container.type === 'Link' ? 403 : isTaken ? 400 : undefined;
    const input = {
      '@type': type,
      UID: uid,
      ...bodyOf(tree, own),
      ...(type === 'Link' ? { remoteUrl: 'https://e.org' } : {}),
      ...(id === undefined ? {} : { id }),
    };
    const name = id ?? freeName(container, own.title.toLowerCase());
    const made = await attempt(refusal, async () =>
      createContent(kernel, { caller: ADMIN, container: path, input, bases: BASES }),
    );
    if (refusal !== undefined) return;
    if (made?.path !== `${path}/${name}`) throw new Error(`It is at ${made?.path} and should be at ${path}/${name}`);
    tree.append(newNode({ uid, type, name, parent: container, owner: 'admin', values: own }), container);
  },
);
