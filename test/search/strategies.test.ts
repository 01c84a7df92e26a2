import { describe, expect, it } from 'vitest';
import { CatalogSchema } from '../../src/core/search/catalog-registry.ts';
import type { Window } from '../../src/core/search/conditions.ts';
import { finderOf } from '../../src/core/search/found-rows.ts';
import { type CatalogQuery, constraint, SqlParameters } from '../../src/core/search/query.ts';
import type { Start } from '../../src/core/search/read-kept.ts';
import { ViewRule } from '../../src/core/search/statements/view-rule.ts';
import { planSearch } from '../../src/core/search/strategies/choose.ts';
import { registries } from '../support/registries.ts';

const context = { types: new Map(), catalog: new CatalogSchema(registries, new Map()), stemmers: ['english'] };
const window: Window = {
  principals: ['role:Anonymous'],
  rule: ViewRule.of(false),
  inactive: false,
  start: 0,
  size: 25,
};

const is = (index: string, ...values: string[]) => ({ index, constraint: constraint(values) });
const by = (on: string, descending = false) => [{ on, descending }];
const words = (text: string) => is('SearchableText', text);
const query = (constraints: CatalogQuery['constraints'], more: Partial<CatalogQuery> = {}): CatalogQuery => ({
  ...{ constraints, sort: [], ...more },
});

const SECTION = { paths: [{ path: '/news' }] };
const CHILDREN = { paths: [{ path: '/news', depth: 1 }] };
const MANY = { total: 40_000 };
const MARKED = { ...MANY, mark: { place: 20_000, oid: 7 } };

/** A query, where its window begins, what is known of its results, and the strategy. */
type Case = [about: string, query: CatalogQuery, start: number, from: Start | undefined, strategy: string];

const CASES: Case[] = [
  ['any query, of which nothing is known', query([words('rare')]), 0, undefined, 'find all'],
  ['a word on nearly every page', query([words('page')]), 0, MANY, 'in order'],
  ['the same, so far in that its texts would be read', query([words('page')]), 15_000, MANY, 'sort all'],
  ['the same, near the end', query([words('page')]), 39_900, MANY, 'in order'],
  ['the whole site by modification', query([], { sort: by('modified', true) }), 0, MANY, 'in order'],
  ['the same, before it was counted', query([], { sort: by('modified', true) }), 100, {}, 'in order'],
  ['the same, before it was counted, far in', query([], { sort: by('modified', true) }), 9000, {}, 'sort, then look'],
  ['the same, in the middle', query([], { sort: by('modified', true) }), 20_000, MANY, 'sort, then look'],
  ['the same, from a row whose place is known', query([], { sort: by('modified', true) }), 20_025, MARKED, 'in order'],
  ['the whole site by title', query([], { sort: by('sortable_title') }), 0, MANY, 'in order'],
  ['the same, in the middle', query([], { sort: by('sortable_title') }), 20_000, MANY, 'sort all'],
  [
    'a type of the whole site',
    query([is('portal_type', 'Page')], { sort: by('effective', true) }),
    0,
    MANY,
    'in order',
  ],
  ['a container by position', query([], { ...CHILDREN, sort: by('getObjPositionInParent') }), 0, MANY, 'in order'],
  [
    'the same, nine tenths in',
    query([], { ...CHILDREN, sort: by('getObjPositionInParent') }),
    36_000,
    MANY,
    'in order',
  ],
  ['a container by title', query([], { ...CHILDREN, sort: by('sortable_title') }), 0, MANY, 'sort all'],
  [
    'the same, from a row whose place is known',
    query([], { ...CHILDREN, sort: by('sortable_title') }),
    20_025,
    MARKED,
    'walk',
  ],
  ['a section by modification', query([], { ...SECTION, sort: by('modified') }), 0, MANY, 'sort, then look'],
  [
    'the same, from a row whose place is known',
    query([], { ...SECTION, sort: by('modified') }),
    20_025,
    MARKED,
    'walk',
  ],
  ['the same, near the end', query([], { ...SECTION, sort: by('modified') }), 39_950, MANY, 'walk'],
  [
    'the same, where the walk was too long',
    query([], { ...SECTION, sort: by('modified') }),
    39_950,
    { ...MANY, isWhole: true },
    'sort, then look',
  ],
  [
    'a section by an order without an index',
    query([], { ...SECTION, sort: by('expires') }),
    20_025,
    MARKED,
    'sort, then look',
  ],
  ['a word in a section', query([words('page')], SECTION), 0, MANY, 'sort all'],
  ['a tag by date', query([is('Subject', 'news')], { sort: by('effective', true) }), 0, MANY, 'sort all'],
];

/** A query, what is known of its results, and the way on which all of them are found. */
type Found = [about: string, query: CatalogQuery, known: { isBounded?: boolean; isMany?: boolean }, finder: string];

const FOUND: Found[] = [
  ['a word', query([words('page')]), { isBounded: true }, 'words first'],
  ['a word and a type', query([words('page'), is('portal_type', 'Page')]), { isBounded: true }, 'words first'],
  ['a word and a tag', query([words('page'), is('Subject', 'news')]), { isBounded: true }, 'words first'],
  ['a word in a section', query([words('page')], SECTION), { isBounded: true }, 'joined'],
  ['a word in a section that many have', query([words('page')], SECTION), { isMany: true }, 'words first'],
  ['a phrase in a section that many have', query([words('"a page"')], SECTION), { isMany: true }, 'joined'],
  ['a word of one creator', query([words('page'), is('Creator', 'ann')]), { isBounded: true }, 'joined'],
  ['a creator', query([is('Creator', 'ann')]), { isBounded: true }, 'content first'],
  ['a creator in a section', query([is('Creator', 'ann')], SECTION), { isBounded: true }, 'joined'],
  ['a creator with many', query([is('Creator', 'ann')]), { isMany: true }, 'joined'],
  ['a creator and a tag', query([is('Creator', 'ann'), is('Subject', 'news')]), { isBounded: true }, 'joined'],
  ['a state', query([is('review_state', 'published')]), { isBounded: true }, 'joined'],
  ['a tag', query([is('Subject', 'news')]), { isBounded: true }, 'joined'],
];

/** A query, and true if the database keeps a plan for its statement. */
type Planned = [about: string, query: CatalogQuery, isKept: boolean];

const PLANNED: Planned[] = [
  ['a word', query([words('rare')]), true],
  ['a word of the whole site', query([words('rare')], { paths: [{ path: '/' }] }), true],
  ['three words', query([words('rare old words')]), true],
  ['many words', query([words('so many rare old words')]), false],
  ['a phrase', query([words('"rare words"')]), false],
  ['a word without another', query([words('rare not old')]), false],
  ['a word in a section', query([words('rare')], SECTION), false],
  ['a word outside of a section', query([words('rare')], { notPaths: SECTION.paths }), false],
  ['a word by date', query([words('rare')], { sort: by('effective') }), false],
  ['a word and a type', query([words('rare'), is('portal_type', 'Page')]), false],
  ['a title', query([is('Title', 'rare')]), false],
];

describe('Searches', () => {
  it.each(PLANNED)('of %s have a plan of their own, or none, as in their case.', (_, asked, isKept) => {
    const { statement } = planSearch({ query: asked, window, context, atMost: 5000 });
    expect(statement.name !== undefined).toBe(isKept);
  });

  it('of words share a plan if they have the same number of words.', () => {
    const named = (text: string) => planSearch({ query: query([words(text)]), window, context }).statement.name;
    expect(named('one')).toBe(named('other'));
    expect(named('one')).not.toBe(named('one other'));
  });

  it.each(CASES)('of %s have the strategy of their case.', (_, asked, start, from, strategy) => {
    expect(planSearch({ query: asked, window: { ...window, start }, context, from }).strategy).toBe(strategy);
  });

  it.each(FOUND)('of %s find their rows on the way of their case.', (_, asked, known, finder) => {
    const finding = { query: asked, window, context, parameters: new SqlParameters(), keys: [], ...known };
    expect(finderOf(finding).name).toBe(finder);
  });
});
