import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { describeEachEngine } from '../../support/database.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { freshSite } from '../import-helpers.ts';
import { addHere, moveHere, removeHere, updateStored } from './edit-here.ts';
import { add, containerOf, contentOf, edit, importNow, move, type OldSite, oldSite, remove } from './old-site.ts';

const FOLDERS = ['f0', 'f1', 'f2'];
const PAGES = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];

/** A change of one side. Numbers choose among what is there when it happens. */
type Step =
  | { do: 'edit'; at: number; field: 'title' | 'description'; word: number }
  | { do: 'move'; at: number; to: number }
  | { do: 'rename'; at: number }
  | { do: 'remove'; at: number }
  | { do: 'add'; to: number };

const number = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('edit'),
      at: number,
      field: fc.constantFrom('title', 'description'),
      word: fc.nat({ max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), at: number, to: number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename'), at: number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), at: number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('add'), to: number }) },
) as fc.Arbitrary<Step>;

/** An object without what differs between two sites. */
type Seen = { container: string; id: string; title: string; description: string };

const START = 'one two three four five six';

/** Puts a word of its own in the place of one of a text. */
const withWord = (text: string, at: number, word: string): string =>
  text
    .split(' ')
    .map((each, index) => (index === at ? word : each))
    .join(' ');

/** The objects of the test with this mark, by their short UIDs. */
async function seenHere(kernel: Kernel, mark: string): Promise<Map<string, Seen & { path: string }>> {
  const rows = await kernel.db.query<Seen & { uid: string; path: string }>({
    text: `select c.uid, c.path, p.uid as container, c.name as id, c.fields->>'title' as title, c.fields->>'description' as description
      from content c join content p on p.oid = c.parent where c.path like $1 || '/%' order by c.uid`,
    values: [`/${mark}`],
  });
  const short = (uid: string) => uid.replace(`${mark}-`, '');
  return new Map(
    rows.map(({ uid, container, id, ...row }) => [short(uid), { ...row, container: short(container), id: short(id) }]),
  );
}

/** A side that steps are done on. */
type World = {
  uids(): Promise<string[]>;
  isBelow(uid: string, container: string): Promise<boolean>;
  edit(uid: string, field: 'title' | 'description', change: (text: string) => string): Promise<void>;
  move(uid: string, container: string): Promise<void>;
  rename(uid: string, id: string): Promise<void>;
  remove(uid: string): Promise<void>;
  add(container: string, uid: string): Promise<void>;
};

function here(kernel: Kernel, mark: string): World {
  const seen = () => seenHere(kernel, mark);
  const pathOf = async (uid: string) => (uid === '' ? `/${mark}` : ((await seen()).get(uid)?.path ?? ''));
  return {
    uids: async () => [...(await seen()).keys()],
    isBelow: async (uid, container) => `${await pathOf(uid)}/`.startsWith(`${await pathOf(container)}/`),
    async edit(uid, field, change) {
      const object = (await seen()).get(uid);
      if (object) await updateStored(kernel, object.path, { [field]: change(object[field] ?? '') });
    },
    async move(uid, container) {
      const [path, to] = [await pathOf(uid), await pathOf(container)];
      if (!path || path.replace(/\/[^/]*$/, '') === to) return;
      await moveHere(kernel, path, to, path.split('/').at(-1) ?? '');
    },
    async rename(uid, id) {
      const path = await pathOf(uid);
      await moveHere(kernel, path, path.replace(/\/[^/]*$/, ''), id);
    },
    remove: async (uid) => removeHere(kernel, await pathOf(uid)),
    add: async (container, uid) => addHere(kernel, await pathOf(container), `${mark}-${uid}`, START),
  };
}

function there(site: OldSite, mark: string): World {
  const full = (uid: string) => (uid === '' ? mark : `${mark}-${uid}`);
  const pathOf = (uid: string) => site.objects.get(full(uid))?.['@id'] ?? '';
  return {
    uids: async () =>
      [...site.objects.keys()].flatMap((uid) => (uid === mark ? [] : [uid.replace(`${mark}-`, '')])).sort(),
    isBelow: async (uid, container) => `${pathOf(uid)}/`.startsWith(`${pathOf(container)}/`),
    async edit(uid, field, change) {
      edit(site, full(uid), { [field]: change(String(site.objects.get(full(uid))?.[field] ?? '')) });
    },
    move: async (uid, container) => move(site, full(uid), { in: full(container) }),
    rename: async (uid, id) => move(site, full(uid), { id }),
    remove: async (uid) => remove(site, full(uid)),
    add: async (container, uid) => add(site, { uid: full(uid), in: full(container), title: START, description: '' }),
  };
}

/** Does the steps of one side; what it makes has the name of the side in it. */
async function perform(world: World, side: string, steps: readonly Step[]): Promise<void> {
  for (const [index, one] of steps.entries()) {
    const uids = await world.uids();
    const folders = ['', ...uids.filter((uid) => uid.startsWith('f'))];
    const name = `${side}${index}`;
    const uid = 'at' in one ? uids[one.at % Math.max(uids.length, 1)] : undefined;
    const container = 'to' in one ? (folders[one.to % folders.length] ?? '') : '';
    if (one.do === 'add') await world.add(container, `n${name}`);
    if (uid === undefined) continue;
    if (one.do === 'edit') await world.edit(uid, one.field, (text) => withWord(text, one.word, name));
    if (one.do === 'rename') await world.rename(uid, `r${name}`);
    if (one.do === 'remove') await world.remove(uid);
    if (one.do === 'move' && uid !== container && !(container !== '' && (await world.isBelow(container, uid))))
      await world.move(uid, container);
  }
}

function startingSite(mark: string): OldSite {
  const site = oldSite();
  add(site, { uid: mark, type: 'Folder' });
  const texts = { title: START, description: START };
  for (const uid of FOLDERS) add(site, { uid: `${mark}-${uid}`, in: mark, type: 'Folder', ...texts });
  for (const [index, uid] of PAGES.entries())
    add(site, { uid: `${mark}-${uid}`, in: index % 2 ? mark : `${mark}-f0`, ...texts });
  return site;
}

const wordsOf = (object: Pick<Seen, 'title' | 'description'> | undefined): string[] =>
  `${object?.title ?? ''} ${object?.description ?? ''}`.split(' ').filter((word) => /^[ab]\d/.test(word));

/** The state of an object itself, wherever its container is. */
const stateOf = (object: Seen | undefined): string =>
  JSON.stringify([object?.container, object?.id, object?.title, object?.description]);

/** The objects of the export with this mark. */
function seenThere(site: OldSite, mark: string): Map<string, Seen> {
  const short = (uid: string) => uid.replace(`${mark}-`, '');
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return new Map(
    [...site.objects.values()].flatMap((object) => {
      const { UID, title, description } = object;
      const place = { container: short(containerOf(site, UID)), id: short(String(object.id)) };
      return UID === mark
        ? []
        : [[short(UID), { ...place, title: textOf(title), description: textOf(description) }] as const];
    }),
  );
}

describeEachEngine('imports of newer exports, for random histories', (engine) => {
  let kernel: Kernel;
  let number = 0;

  /** Imports a site, lets both sides change it, and imports it again. */
  async function history(
    rule: 'keep' | 'take',
    ours: readonly Step[],
    theirs: readonly Step[],
    names: [string, string],
  ) {
    number += 1;
    const mark = `m${number}`;
    const site = startingSite(mark);
    await importNow(kernel, site);
    const base = await seenHere(kernel, mark);
    await perform(here(kernel, mark), names[0], ours);
    await perform(there(site, mark), names[1], theirs);
    const before = await seenHere(kernel, mark);
    const exported = seenThere(site, mark);
    const summary = await importNow(kernel, site, rule);
    const after = await seenHere(kernel, mark);
    return { site, mark, base, before, exported, after, conflicts: summary.again?.conflicts ?? [] };
  }

  const steps = fc.array(step, { maxLength: 8 });

  it('Nothing is lost that no rule gave up, nothing is doubled, and the second run changes nothing.', {
    timeout: 600_000,
  }, async () => {
    ({ kernel } = await freshSite(engine));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('keep', 'take'), steps, steps, async (rule, ours, theirs) => {
        const { site, base, before, exported, after } = await history(rule, ours, theirs, ['a', 'b']);
        const isChangedHere = (uid: string) => stateOf(base.get(uid)) !== stateOf(before.get(uid));
        const isChangedThere = (uid: string) => stateOf(base.get(uid)) !== stateOf(exported.get(uid));
        for (const [uid, object] of before) {
          if (rule === 'take') break;
          if (isChangedHere(uid)) expect(after.has(uid), `${uid} was changed here`).toBe(true);
          if (after.has(uid)) expect(wordsOf(after.get(uid))).toEqual(expect.arrayContaining(wordsOf(object)));
        }
        for (const [uid, object] of exported) {
          if (rule === 'keep') break;
          if (before.has(uid) || isChangedThere(uid)) expect(after.has(uid), `${uid} is in the export`).toBe(true);
          if (after.has(uid)) expect(wordsOf(after.get(uid))).toEqual(expect.arrayContaining(wordsOf(object)));
        }
        for (const uid of after.keys())
          expect(before.has(uid) || exported.has(uid), `${uid} came from a side`).toBe(true);
        const done = await contentOf(kernel);
        const again = await importNow(kernel, site, 'stop');
        expect(again.again?.counts).toMatchObject({
          added: 0,
          changed: 0,
          moved: 0,
          removed: 0,
          reordered: 0,
          conflicts: 0,
        });
        expect(await contentOf(kernel)).toBe(done);
      }),
      { numRuns: propertyRuns(8, 300) },
    );
  });

  it('Where nothing conflicts, the result does not depend on which of the sites has made which changes.', {
    timeout: 600_000,
  }, async () => {
    ({ kernel } = await freshSite(engine));
    const plain = (objects: Map<string, Seen & { path: string }>, mark: string) =>
      [...objects].map(([uid, { path: _, container, description, ...seen }]) => [
        uid,
        { ...seen, description: description ?? '', container: container === mark ? '' : container },
      ]);
    await fc.assert(
      fc.asyncProperty(steps, steps, async (one, other) => {
        const first = await history('keep', one, other, ['a', 'b']);
        const second = await history('keep', other, one, ['b', 'a']);
        fc.pre(first.conflicts.length + second.conflicts.length === 0);
        expect(plain(first.after, first.mark)).toEqual(plain(second.after, second.mark));
      }),
      { numRuns: propertyRuns(6, 200) },
    );
  });
});
