import {
  BadRequest,
  callers,
  createContent,
  created,
  DELETE,
  defineService,
  Extensible,
  findContents,
  MODIFY,
  mailing,
  NotFound,
  noContent,
  nodeSummary,
  ok,
  queryContent,
  removeContent,
  requirePermission,
  type Service,
  say,
  Type,
  Unauthorized,
  updateContent,
  urlOf,
  VIEW,
} from 'canopy-server';
// What `canopy-server` does not promise, the features of the server take from its core, and so may a package.
import { batching, panelSettings, panels } from 'canopy-server/core';

const TYPE = 'Example';
const Title = Type.String({ minLength: 1, maxLength: 200 });

/** POST: any user suggests instructions. The site itself makes them, so that nobody needs the right to add content. */
const postSuggestion = defineService({
  name: '@example-suggestions',
  method: 'POST',
  context: 'site',
  permission: VIEW,
  summary: 'Suggests instructions: a private draft, and a mail to the address of the site.',
  body: Type.Object({ title: Title }),
  responses: { 201: { description: 'The draft.', schema: Type.Object({ '@id': Type.String() }) } },
  async run({ kernel, site, caller, base, body: { title } }) {
    if (caller.id === null) throw new Unauthorized();
    const address = panelSettings(site, panels.mail).email_from_address;
    const path = await kernel.db.transaction(async (tx) => {
      const input = { '@type': TYPE, title, description: say(site, 'A suggestion') };
      const made = await createContent({ kernel, tx }, { caller: callers.ADMINISTRATOR, container: '/', input });
      if (address && mailing.hostOf(kernel, site))
        await mailing.queue(tx, { to: [{ name: '', address }], subject: title, text: urlOf(base, made) });
      return made;
    });
    return created({ '@id': urlOf(base, path) });
  },
});

/** GET: the instructions that the caller may view, in batches. */
const getSuggestions = defineService({
  name: '@example-suggestions',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Lists instructions, the newest first.',
  query: Type.Object(batching.Query('instructions', { size: 10 })),
  responses: {
    200: {
      description: 'A batch.',
      schema: batching.BatchOf(Extensible({ '@id': Type.String(), title: Type.String(), UID: Type.String() })),
    },
  },
  async run({ db, site, caller, base, query, searchParams }) {
    const batch = batching.of(query, searchParams);
    const { items, total } = await queryContent(
      { db, site, caller },
      {
        where: { portal_type: TYPE },
        sort: [{ on: 'created', descending: true }],
        start: batch.start,
        limit: batch.size,
      },
    );
    const url = `${base}/@example-suggestions`;
    return ok({
      '@id': url,
      items: items.map(({ object }) => ({ ...nodeSummary(site, base, object), UID: object.uid })),
      items_total: total,
      ...batching.linksOf(url, batch, total),
    });
  },
});

const rest = ['{uid}'] as const;

/** PATCH: gives instructions another title. */
const patchSuggestion = defineService({
  name: '@example-suggestions',
  method: 'PATCH',
  context: 'site',
  permission: VIEW,
  summary: 'Changes the title of instructions.',
  rest,
  body: Type.Object({ title: Title }),
  responses: { 204: { description: 'Changed.' }, 404: { description: 'There are no such instructions.' } },
  async run({ kernel, db, site, caller, params: { uid }, body: { title } }) {
    const [node] = await findContents(db, { uids: [uid] });
    if (!node) throw new NotFound(`/@example-suggestions/${uid}`);
    if (node.object.type !== TYPE) throw new BadRequest('Only instructions can be changed here.');
    requirePermission(site, caller, node, MODIFY);
    await updateContent({ kernel }, { caller, path: node.object.path, input: { title } });
    return noContent();
  },
});

/** DELETE: removes instructions, into the recycle bin where the site has one. */
const deleteSuggestion = defineService({
  name: '@example-suggestions',
  method: 'DELETE',
  context: 'site',
  permission: VIEW,
  summary: 'Removes instructions.',
  rest,
  responses: { 204: { description: 'Removed.' }, 404: { description: 'There are no such instructions.' } },
  async run({ kernel, db, site, caller, params: { uid } }) {
    const [node] = await findContents(db, { uids: [uid] });
    if (!node || node.object.type !== TYPE) throw new NotFound(`/@example-suggestions/${uid}`);
    requirePermission(site, caller, node, DELETE);
    await removeContent(kernel, { caller, path: node.object.path });
    return noContent();
  },
});

/** The endpoints of `@example-suggestions`. */
export const suggestionServices: Service[] = [postSuggestion, getSuggestions, patchSuggestion, deleteSuggestion];
