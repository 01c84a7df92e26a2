import { expect, it } from 'vitest';
import { buildSite } from '../../src/core/configuration/site/build-site.ts';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import type { ConfigurationRow } from '../../src/core/configuration/statements/configuration.ts';
import { BadRequest } from '../../src/lib/errors.ts';
import { registries } from '../support/registries.ts';
import { declaringType, integerField, listField, textField } from './declare.ts';

const row = (kind: string, id: string, data: unknown): ConfigurationRow => ({ kind, id, position: 0, data });
const type = (id: string, properties: Record<string, object>) => row(KINDS.type, id, declaringType(id, properties));
const index = (data: object) => row(KINDS.index, 'x', data);
const column = (data: object) => row(KINDS.column, 'x', data);

const build = (...rows: ConfigurationRow[]) => buildSite('1', rows, registries);

it('types that declare one index with different kinds are rejected, and both are named', () => {
  const page = type('Page', { rating: integerField({ index: 'number' }) });
  expect(build(page, type('Post', { rating: integerField({ index: 'integer' }) })).types.size).toBe(2);
  expect(() => build(page, type('Post', { rating: listField({ index: 'keyword' }) }))).toThrow(
    'The index "rating" is of the kind "number" for the field "rating" in "Page" and of the kind "keyword" for the field "rating" in "Post". Let both be the same, or rename one.',
  );
});

it('types and the site must declare an index with the same kind and fields', () => {
  const page = type('Page', { rating: integerField({ index: 'number', column: true }), stars: integerField() });
  expect(() => build(page, index({ name: 'rating', type: 'number' }))).not.toThrow();
  expect(() => build(page, index({ name: 'rating', type: 'field' }))).toThrow(/"number".*in "Page".*"field"/);
  expect(() => build(page, index({ name: 'rating', type: 'number', attr: 'stars' }))).toThrow(/"stars" in the catalog/);
  expect(() => build(page, column({ name: 'rating', attr: 'stars' }))).toThrow(/column "rating".*"rating".*"stars"/);
});

it('all problems of declared indexes come in one response with status 400', () => {
  const wrong = type('Page', {
    first: textField({ index: 'nummber' }),
    second: textField({ column: true, read_permission: 'Manage users' }),
  });
  expect(() => build(wrong)).toThrow(BadRequest);
  expect(() => build(wrong)).toThrow(/Page\.first: .*"nummber".*field, keyword.*Page\.second: /);
});

it.each([
  ['a kind that is none', textField({ index: 'nummber' }), /There is no kind of index "nummber". Use one of field, /],
  ['a kind that is a key of every object', textField({ index: 'constructor' }), /no kind/],
  ['no kind', { ...textField(), index: {} }, /no kind/],
  ['null', { ...textField(), index: null }, /no kind/],
  ['a number', { ...textField(), index: 7 }, /no kind/],
  ['a number of a text', textField({ index: 'number' }), /needs a number/],
  ['a keyword of a text', textField({ index: 'keyword' }), /needs a list of texts/],
  ['a field of a list', listField({ index: 'field' }), /needs a text, a date or a choice/],
  ['a date of a text', textField({ index: 'date' }), /needs a date/],
  ['words of a number', integerField({ index: 'text' }), /needs a text/],
  ['a truth value of a number', integerField({ index: 'boolean' }), /needs a truth value/],
  ['a relation of a number', integerField({ index: 'uuid' }), /needs a relation/],
  ['a text of a link', textField({ factory: 'URL', index: 'field' }), /needs a text/],
  ['a text of an internal link', textField({ widget: 'internal_url', index: 'field' }), /needs a text/],
  ['a text of a password', textField({ factory: 'Password', index: 'field' }), /needs a text/],
  ['what needs a permission', textField({ index: 'field', read_permission: 'X' }), /not everybody may read/],
  ['what is never served', textField({ index: 'field', writeOnly: true }), /not everybody may read/],
  ['a title that is none', textField({ index: { kind: 'field', title: 7 as never } }), /are texts/],
  ['a flag that is none', textField({ index: { kind: 'field', sortable: 'yes' as never } }), /true or false/],
])('an index of the kind %s is rejected', (_what, property, message) => {
  expect(() => build(type('Page', { own: property }))).toThrow(message);
});

it.each([
  ['what needs a permission', textField({ read_permission: 'X' }), /not everybody may read/],
  ['a file', textField({ type: 'object', factory: 'File' }), /needs a text/],
  ['a relation', listField({ factory: 'Relation List' }), /needs a text/],
  ['a link', textField({ factory: 'URL' }), /needs a text/],
  ['rich text', textField({ factory: 'Rich Text' }), /needs a text/],
  ['blocks', { title: 'Blocks', type: 'dict', factory: 'JSONField' }, /needs a text/],
])('a column of the kind %s is rejected', (_what, property, message) => {
  expect(() => build(type('Page', { own: { ...property, column: true } }))).toThrow(message);
});

it('a column can be declared only by true', () => {
  expect(() => build(type('Page', { own: { ...textField(), column: 'yes' } }))).toThrow(/column is true or false/);
  expect(() => build(type('Page', { own: textField({ column: false }) }))).not.toThrow();
});

it.each(["a'b", 'a b', 'a.b', 'a:b', '1a', '_a', '@id', 'é', `a${'b'.repeat(100)}`, '', "x'); drop table content; --"])(
  'nothing is called %j',
  (name) => {
    const properties = Object.fromEntries([[name, integerField({ index: 'number', column: true })]]);
    expect(() => build(type('Page', properties))).toThrow(/No index can be called.*No column can be called/);
    expect(() => build(index({ name, type: 'number', attr: 'rating' }))).toThrow(/No index can be called/);
    expect(() => build(column({ name, attr: 'rating' }))).toThrow(/No column can be called/);
  },
);

it.each(['sort_on', 'b_size', 'metadata_fields', 'show_inactive'])(
  'no declared index can have the name of the parameter %s',
  (name) => {
    expect(() => build(type('Page', { [name]: integerField({ index: 'number' }) }))).toThrow(/parameter of that name/);
  },
);

it.each(['start', 'Title', 'path', 'UID', 'SearchableText', 'effectiveRange'])(
  'the index %s of the core cannot be declared',
  (name) => {
    expect(() => build(index({ name, type: 'field', attr: 'place' }))).toThrow(`There is an index "${name}" already.`);
  },
);

it.each(['title', 'description', 'subjects', 'exclude_from_nav', 'language'])(
  'the field %s cannot be indexed twice',
  (name) => {
    expect(() => build(type('Page', { [name]: textField({ index: 'field' }) }))).toThrow(/is indexed already/);
  },
);

it.each(['UID', 'title', 'image_scales', 'getURL', 'location', 'type_title'])(
  'the column %s of the core cannot be declared',
  (name) => {
    expect(() => build(column({ name, attr: 'place' }))).toThrow(`There is a column "${name}" already.`);
  },
);

it.each([
  [{ type: 'number' }, /No index can be called undefined/],
  [{ name: 'x' }, /no kind of index undefined/],
  [{ name: 'x', type: 'embed' }, /no kind of index "embed"/],
  [{ name: 'x', type: 'number', title: {} }, /are texts/],
])('a catalog.json with the entry %j is rejected', (entry, message) => {
  expect(() => build(index(entry))).toThrow(message);
});
