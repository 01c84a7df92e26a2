import { Type } from 'typebox';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';
import type { SiteRequests } from '../site-requests.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Path } from './inputs.ts';

/** Objects in one list. */
const MAX_LISTED = 50;

const Batch = {
  start: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many to pass over.' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED, description: '20 unless given.' })),
};

const METADATA = ['review_state', 'modified', 'Language'];

/** An object in lists, in a few words. */
const listed = (site: SiteRequests, item: JsonObject): JsonObject => ({
  path: site.shortOf(item['@id']),
  type: item['@type'],
  title: item.title,
  ...(item.description ? { description: item.description } : {}),
  state: item.review_state,
  modified: item.modified,
  language: item.Language,
});

/** The objects of a response with their number. */
function listOf(site: SiteRequests, { items, items_total: total }: JsonObject): JsonObject {
  const objects = Array.isArray(items) ? items.filter(isJsonObject) : [];
  return { total, items: objects.map((item) => listed(site, item)) };
}

const search = defineTool({
  name: 'search',
  title: 'Search',
  description: 'Finds pages by words, and by type, state, tag or language. Returns paths.',
  scope: 'read',
  input: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: 500, description: 'Words of the page.' })),
      path: Type.Optional(Path('Only at and below this path.')),
      type: Type.Optional(Type.String({ maxLength: 200 })),
      state: Type.Optional(Type.String({ maxLength: 200 })),
      tag: Type.Optional(Type.String({ maxLength: 200 })),
      language: Type.Optional(Type.String({ maxLength: 20 })),
      sort: Type.Optional(Type.Union([Type.Literal('relevance'), Type.Literal('modified'), Type.Literal('title')])),
      ...Batch,
    },
    { additionalProperties: false },
  ),
  async run(site, { text, path, type, state, tag, language, sort, start = 0, size = 20 }) {
    const order = {
      relevance: {},
      modified: { sort_on: 'modified', sort_order: 'descending' },
      title: { sort_on: 'sortable_title' },
    };
    const found = await site.object(`${path === undefined ? site.home : site.pathOf(path)}/@search`, {
      ...(sort ? order[sort] : {}),
      ...{ SearchableText: text, portal_type: type, review_state: state, Subject: tag, Language: language },
      ...{ b_start: start, b_size: size, metadata_fields: METADATA },
    });
    return listOf(site, found);
  },
});

const list = defineTool({
  name: 'list',
  title: 'List a folder',
  description: 'Lists what is directly in a folder, in its order.',
  scope: 'read',
  input: Type.Object({ path: Path('The folder.'), ...Batch }, { additionalProperties: false }),
  async run(site, { path, start = 0, size = 20 }) {
    const at = site.pathOf(path);
    const found = await site.object(`${at}/@search`, {
      ...{ 'path.query': decodeURIComponent(at) || '/', 'path.depth': 1, sort_on: 'getObjPositionInParent' },
      ...{ b_start: start, b_size: size, metadata_fields: METADATA },
    });
    return listOf(site, found);
  },
});

/** Members of content that say nothing to an agent, or that other tools return. */
const LEFT_OUT = new Set(['@components', 'items', 'items_total', 'batching', 'lock', 'next_item', 'previous_item']);

const read = defineTool({
  name: 'read',
  title: 'Read a page',
  description:
    'Reads a page: as Markdown, or with all fields and blocks as JSON. Send "base" of the JSON along when you change the page.',
  scope: 'read',
  input: Type.Object(
    {
      path: Path('The page.'),
      format: Type.Optional(
        Type.Union([Type.Literal('markdown'), Type.Literal('blocks')], { description: 'markdown unless given.' }),
      ),
      from: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'The character to begin with, for long pages.' }),
      ),
    },
    { additionalProperties: false },
  ),
  async run(site, { path, format = 'markdown', from = 0 }) {
    const at = site.pathOf(path);
    if (format === 'markdown') return (await markdownAt(site, at)).slice(from);
    const { body, etag: base } = await site.json('GET', at || '/');
    const page = isJsonObject(body) ? omit(body, (key) => LEFT_OUT.has(key)) : {};
    const whole = { ...page, base };
    return from === 0 ? whole : JSON.stringify(whole).slice(from);
  },
});

/** A page as Markdown. @throws Refused */
export const markdownAt = (site: SiteRequests, path: string): Promise<string> => site.text(`${path}/markdown_view`);

/** Tools that read content. */
export const readingTools: Tool[] = [search, list, read];
