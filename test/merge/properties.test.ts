import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeBlocks } from '../../src/core/content/merge/merge-blocks.ts';
import { beginMerge } from '../../src/core/content/merge/merge-json.ts';
import { mergeBudget } from '../../src/lib/merge/diff3.ts';
import { mergeMembers, mergeOrder } from '../../src/lib/merge/merge-order.ts';
import { mergeHtml, mergeText } from '../../src/lib/merge/merge-text.ts';
import '../support/property-seed.ts';
import { blocksById, edit, edited, idsOf, orderedIds, page, type TestBlocks, threeSides } from './edits.ts';

/** Random cases of each property, with some five edits each: `npm run test:merge` looks at a million edits. */
const RUNS = { numRuns: Number(process.env.MERGE_RUNS ?? 300) };

const merge = (base: TestBlocks, mine: TestBlocks, theirs: TestBlocks, prefer: 'mine' | 'theirs' = 'mine') =>
  mergeBlocks(beginMerge(prefer), { base, mine, theirs });

const asBlocks = (value: unknown): TestBlocks => JSON.parse(JSON.stringify(value));
const sorted = (ids: readonly (string | undefined)[]) => ids.map(String).sort();
const shown = (container: TestBlocks) => sorted(orderedIds(container));

it('merged blocks are the same either way round', () => {
  fc.assert(
    fc.property(threeSides, ({ base, mine, theirs }) => {
      const [one, other] = [merge(base, mine, theirs), merge(base, theirs, mine, 'theirs')];
      expect(other.value).toEqual(one.value);
      expect(sorted([...other.conflicts])).toEqual(sorted([...one.conflicts]));
      if (one.conflicts.size === 0) expect(merge(base, theirs, mine).value).toEqual(one.value);
    }),
    RUNS,
  );
});

it('a change of one side alone is kept, and a merge without a change changes nothing', () => {
  fc.assert(
    fc.property(threeSides, ({ base, mine }) => {
      for (const merged of [merge(base, mine, base), merge(base, base, mine), merge(base, mine, mine)]) {
        expect(merged.value).toEqual(mine);
        expect(merged.conflicts.size).toBe(0);
      }
    }),
    RUNS,
  );
});

it('no block is lost or there twice', () => {
  fc.assert(
    fc.property(threeSides, fc.constantFrom('mine' as const, 'theirs' as const), ({ base, mine, theirs }, prefer) => {
      const { value, conflicts } = merge(base, mine, theirs, prefer);
      const merged = asBlocks(value);
      const ids = idsOf(merged);
      expect(new Set(ids).size).toBe(ids.length);
      expect(shown(merged)).toEqual(sorted(ids));
      if (conflicts.size > 0) return;
      const [before, here, there] = [base, mine, theirs].map((side) => new Set(idsOf(side)));
      const expected = [...new Set([...idsOf(mine), ...idsOf(theirs)])].filter(
        (id) => !before?.has(id) || (here?.has(id) && there?.has(id)),
      );
      expect(sorted(ids)).toEqual(sorted(expected));
    }),
    RUNS,
  );
});

it('a block that one side changed and the other did not touch has its change', () => {
  fc.assert(
    fc.property(threeSides, ({ base, mine, theirs }) => {
      const { value, conflicts } = merge(base, mine, theirs);
      if (conflicts.size > 0) return;
      const own = (container: TestBlocks) =>
        new Map([...blocksById(container)].map(([id, { blocks, blocks_layout, data, ...rest }]) => [id, rest]));
      const [before, here, there, merged] = [own(base), own(mine), own(theirs), own(asBlocks(value))];
      for (const [id, block] of merged) {
        const [was, a, b] = [before.get(id), here.get(id), there.get(id)].map((one) => JSON.stringify(one));
        if (a === was && b !== undefined) expect(block).toEqual(there.get(id));
        if (b === was && a !== undefined) expect(block).toEqual(here.get(id));
      }
    }),
    RUNS,
  );
});

it('edits of different blocks never conflict', () => {
  fc.assert(
    fc.property(page, fc.array(edit, { maxLength: 4 }), (base, edits) => {
      const mine = structuredClone(base);
      mine.blocks_layout.items.reverse();
      const theirs = edited(
        base,
        edits.filter(({ kind }) => kind === 'text' || kind === 'attribute'),
      );
      const { value, conflicts } = merge(base, mine, theirs);
      expect(conflicts.size).toBe(0);
      expect(value).toEqual({ ...theirs, blocks_layout: mine.blocks_layout });
    }),
    RUNS,
  );
});

const order = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g']);

it('orders merge: either way round, each id once, and as the side that changed it', () => {
  fc.assert(
    fc.property(order, order, order, (base, mine, theirs) => {
      const sides = { base, mine, theirs };
      const members = mergeMembers(sides);
      const merged = mergeOrder(sides, members, 'mine');
      const swapped = mergeOrder({ base, mine: theirs, theirs: mine }, members, 'theirs');
      expect(swapped).toEqual(merged);
      expect([...merged.value].sort()).toEqual([...members].sort());
      expect(mergeOrder({ base, mine, theirs: base }, new Set(mine), 'theirs')).toEqual({
        value: mine,
        conflicts: false,
      });
    }),
    RUNS,
  );
});

const words = fc
  .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '. ', '<b>', '</b>', '<p>', '</p>'), { maxLength: 14 })
  .map((all) => all.join(''));

it('texts merge: either way round, and as the side that changed them', () => {
  fc.assert(
    fc.property(words, words, words, (base, mine, theirs) => {
      for (const mergeOf of [mergeText, mergeHtml]) {
        const one = mergeOf({ base, mine, theirs }, 'mine', mergeBudget());
        expect(mergeOf({ base, mine: theirs, theirs: mine }, 'theirs', mergeBudget())).toEqual(one);
      }
      expect(mergeText({ base, mine, theirs: base }, 'theirs', mergeBudget())).toEqual({
        value: mine,
        conflicts: false,
      });
      expect(mergeText({ base, mine, theirs: mine }, 'theirs', mergeBudget())).toEqual({
        value: mine,
        conflicts: false,
      });
    }),
    RUNS,
  );
});

it('changes of different words of one text are both there', () => {
  fc.assert(
    fc.property(fc.nat(39), fc.nat(39), (first, second) => {
      fc.pre(first !== second);
      const text = Array.from({ length: 40 }, (_none, i) => `w${i}`);
      const [mine, theirs, both] = [[...text], [...text], [...text]];
      mine[first] = both[first] = 'mine';
      theirs[second] = both[second] = 'theirs';
      const join = (all: string[]) => all.join(' ');
      const sides = { base: join(text), mine: join(mine), theirs: join(theirs) };
      expect(mergeText(sides, 'mine', mergeBudget())).toEqual({ value: join(both), conflicts: false });
    }),
    RUNS,
  );
});
