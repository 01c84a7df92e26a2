import { Type } from 'typebox';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import type { SiteRequests } from '../site-requests.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Change, Fields, type PlainRequest, requestOf } from './changes.ts';
import { Path } from './inputs.ts';

/** Writes of one proposal. */
const MAX_CHANGES = 20;

/** Title and reasons of a proposal. */
const About = {
  title: Type.String({ minLength: 1, maxLength: 200, description: 'What you propose, for the person who decides.' }),
  comment: Type.Optional(Type.String({ maxLength: 10_000, description: 'Why.' })),
};

const Id = Type.String({ minLength: 1, maxLength: 100, description: 'The id of the proposal.' });

const addressOf = ({ home }: SiteRequests, id: string): string => `${home}/@proposals/${encodeURIComponent(id)}`;

/** The state of a proposal, without its changes. */
const stateOf = (site: SiteRequests, proposal: JsonObject): JsonObject => ({
  id: proposal.id,
  address: site.shortOf(proposal['@id']),
  ...{ title: proposal.title, state: proposal.state, out_of_date: proposal.out_of_date },
  ...{ problem: proposal.problem ?? null, conflicts: proposal.conflicts ?? [], decision: proposal.decision ?? null },
});

/** Hands in a proposal of writes at a place that the token is good for: it may be one for a part of the site. @throws Refused */
async function handIn(
  site: SiteRequests,
  { title, comment, at }: { title: string; comment?: string; at: string },
  requests: readonly PlainRequest[],
): Promise<JsonObject> {
  const { body } = await site.json('POST', `${at}/@proposals`, {
    body: { title, ...(comment === undefined ? {} : { comment }), requests },
  });
  return stateOf(site, isJsonObject(body) ? body : {});
}

const propose = defineTool({
  name: 'propose',
  title: 'Propose changes',
  description:
    'Hands in changes, new pages, moves, removals and transitions as one proposal. Nothing happens before a person approves it. Several may be approved one by one.',
  scope: 'propose',
  input: Type.Object(
    { ...About, changes: Type.Array(Change, { minItems: 1, maxItems: MAX_CHANGES }) },
    { additionalProperties: false },
  ),
  run: (site, { changes, ...about }) =>
    handIn(
      site,
      { ...about, at: site.pathOf(changes[0]?.path ?? '/') },
      changes.map((change) => requestOf(site, change)),
    ),
});

/** The translation of content into a language that is there already; undefined without one. */
async function translationOf(site: SiteRequests, path: string, language: string): Promise<string | undefined> {
  const { items } = await site.object(`${path}/@translations`);
  const found = (Array.isArray(items) ? items : []).find((item) => isJsonObject(item) && item.language === language);
  return isJsonObject(found) ? site.pathOf(String(found['@id'])) : undefined;
}

const proposeTranslation = defineTool({
  name: 'propose_translation',
  title: 'Propose a translation',
  description:
    'Hands in the translation of a page: a new page in the folder of the language, or a change of the translation that is there.',
  scope: 'propose',
  input: Type.Object(
    {
      ...About,
      path: Path('The page to translate.'),
      language: Type.String({
        minLength: 2,
        maxLength: 20,
        description: 'The language to translate into, such as de.',
      }),
      fields: Fields('The translated fields: title, description, blocks with blocks_layout …'),
    },
    { additionalProperties: false },
  ),
  async run(site, { path, language, fields, ...about }) {
    const at = site.pathOf(path);
    const there = await translationOf(site, at, language);
    if (there !== undefined)
      return handIn(site, { ...about, at }, [{ method: 'PATCH', path: there || '/', body: fields }]);
    const { UID: original, '@type': type } = await site.object(at || '/');
    const { '@id': container } = await site.object(`${at}/@translation-locator`, { target_language: language });
    const body = { ...fields, '@type': type, language, translation_of: original };
    return handIn(site, { ...about, at }, [{ method: 'POST', path: site.pathOf(String(container)) || '/', body }]);
  },
});

const upload = defineTool({
  name: 'upload',
  title: 'Upload a file',
  description: 'Proposes a new picture or file of up to 700 kB.',
  scope: 'propose',
  input: Type.Object(
    {
      ...About,
      path: Path('The container.'),
      filename: Type.String({ minLength: 1, maxLength: 255 }),
      content_type: Type.String({ pattern: '^[\\w.+-]+/[\\w.+-]+$', maxLength: 200 }),
      data: Type.String({
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
        maxLength: 1_000_000,
        description: 'The bytes as base64.',
      }),
      fields: Type.Optional(Fields('Further fields, such as title and description.')),
    },
    { additionalProperties: false },
  ),
  run(site, { path, filename, content_type: contentType, data, fields, ...about }) {
    const kind = contentType.startsWith('image/') ? 'image' : 'file';
    const file = { data, encoding: 'base64', filename, 'content-type': contentType };
    const body = { title: filename, ...fields, '@type': kind === 'image' ? 'Image' : 'File', [kind]: file };
    const at = site.pathOf(path);
    return handIn(site, { ...about, at }, [{ method: 'POST', path: at || '/', body }]);
  },
});

const myProposals = defineTool({
  name: 'my_proposals',
  title: 'My proposals',
  description:
    'Lists the proposals of your user with their states; with an id, one with its problem, conflicts and comments.',
  scope: 'propose',
  input: Type.Object(
    {
      id: Type.Optional(Id),
      state: Type.Optional(
        Type.Union(
          ['pending', 'approved', 'rejected', 'withdrawn', 'expired', 'all'].map((state) => Type.Literal(state)),
          { description: 'pending unless given.' },
        ),
      ),
      path: Type.Optional(Path('Only what touches this path or something below it.')),
      start: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    },
    { additionalProperties: false },
  ),
  async run(site, { id, state = 'pending', path, start = 0 }) {
    if (id !== undefined) {
      const proposal = await site.object(addressOf(site, id));
      return { ...stateOf(site, proposal), comments: proposal.comments };
    }
    const { items, items_total: total } = await site.object(
      `${path === undefined ? site.home : site.pathOf(path)}/@proposals`,
      {
        ...{ creator: site.context.caller.id ?? '', state, b_start: start },
      },
    );
    return {
      total,
      items: (Array.isArray(items) ? items : []).filter(isJsonObject).map((item) => stateOf(site, item)),
    };
  },
});

const proposalDiff = defineTool({
  name: 'proposal_diff',
  title: 'Differences of a proposal',
  description: 'What a proposal would change now: fields before and after, texts word by word.',
  scope: 'propose',
  input: Type.Object({ id: Id }, { additionalProperties: false }),
  async run(site, { id }) {
    const { changes, problem, conflicts } = await site.object(addressOf(site, id));
    return { changes, problem, conflicts };
  },
});

const withdraw = defineTool({
  name: 'withdraw',
  title: 'Withdraw a proposal',
  description: 'Ends a pending proposal of your user.',
  scope: 'propose',
  destructive: true,
  input: Type.Object({ id: Id }, { additionalProperties: false }),
  async run(site, { id }) {
    const { body } = await site.json('POST', `${addressOf(site, id)}/withdraw`, { body: {} });
    return stateOf(site, isJsonObject(body) ? body : {});
  },
});

/** Tools that hand in proposals. */
export const proposingTools: Tool[] = [propose, proposeTranslation, upload, myProposals, proposalDiff, withdraw];
