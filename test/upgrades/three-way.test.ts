import { describe, expect, it } from 'vitest';
import { mergeThreeWay } from '../../src/core/configuration/profiles/three-way.ts';

const merge = (base: unknown, site: unknown, wanted: unknown) => mergeThreeWay({ base, site, wanted });

describe('a comparison of what was installed, what the site has and what is wanted', () => {
  it.each<[string, unknown, unknown, unknown, unknown, number, number]>([
    ['what the site has changed and the profile has not stays', { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }, 0, 0],
    ['what the profile has changed and the site has not is changed', { a: 1 }, { a: 1 }, { a: 2 }, { a: 2 }, 1, 0],
    ['what both have changed stays and is a conflict', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }, 0, 1],
    ['what both have changed to the same is nothing', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }, 0, 0],
    ['other keys of a changed object follow', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 3, b: 2 }, { a: 2, b: 2 }, 1, 1],
    ['a key that the profile takes away goes', { a: 1, b: 1 }, { a: 1, b: 1 }, { a: 1 }, { a: 1 }, 1, 0],
    ['a key that the site has changed does not go', { a: 1, b: 1 }, { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }, 0, 1],
    ['a key that the site has removed does not come back', { a: 1, b: 1 }, { a: 1 }, { a: 1, b: 2 }, { a: 1 }, 0, 1],
    ['items of both are in a list', ['a', 'b'], ['a', 'b', 'mine'], ['a', 'new'], ['a', 'new', 'mine'], 2, 0],
    ['an item that the site has removed stays away', ['a', 'b'], ['a'], ['a', 'b', 'c'], ['a', 'c'], 1, 0],
    ['a list in a new order gets it', ['a', 'b', 'c'], ['a', 'b', 'c'], ['c', 'a', 'b'], ['c', 'a', 'b'], 1, 0],
    ['an order of the site stays', ['a', 'b', 'c'], ['b', 'a', 'c'], ['c', 'a', 'b'], ['b', 'a', 'c'], 0, 1],
    [
      'items with an id are compared by it',
      [{ id: 'a', t: 1 }],
      [{ id: 'a', t: 1, x: 1 }],
      [{ id: 'a', t: 2 }],
      [{ id: 'a', t: 2, x: 1 }],
      1,
      0,
    ],
    ['a pair of token and title is one value', [['a', 'A']], [['a', 'B']], [['a', 'C']], [['a', 'B']], 0, 1],
    [
      'what two make under one name is compared key by key',
      undefined,
      { t: 1, s: 1 },
      { t: 2, w: 1 },
      { t: 1, s: 1, w: 1 },
      1,
      1,
    ],
    ['lists of the same items twice are one value', [1, 1], [1, 1], [1, 1, 1], [1, 1, 1], 1, 0],
    ['null is a value', { w: 'a' }, { w: 'a' }, { w: null }, { w: null }, 1, 0],
  ])('%s', (_title, base, site, wanted, value, changes, conflicts) => {
    const merged = merge(base, site, wanted);
    expect([merged.value, merged.changes.length, merged.conflicts.length]).toEqual([value, changes, conflicts]);
  });
});
