import { Type } from 'typebox';
import {
  type Caller,
  defineService,
  type Kernel,
  MANAGE_PORTAL,
  ok,
  panelSettings,
  panels,
  type Site,
  type Transaction,
  tree,
  urlOf,
} from '#core';
import { BadRequest } from '#lib/errors';
import { isMultilingual, makeLanguageFolders } from './language-roots.ts';
import { rootContent, rootsAt } from './statements.ts';
import { isLanguageRoot } from './translation-group.ts';

/** Maximum number of objects of the site root that are moved at once; objects below them do not count. */
const MAX_MOVED = 1000;

/**
 * Moves content of the site root into the folder of its language, or of the site's language if it has none; old addresses redirect. Throws BadRequest
 * when there are too many objects for one transaction, Forbidden for locked content.
 */
async function moveRootContent(kernel: Kernel, { tx, caller, site }: { tx: Transaction; caller: Caller; site: Site }) {
  const { available_languages: languages, default_language: first } = panelSettings(site, panels.language);
  const found = await rootsAt(
    tx,
    languages.map((language) => `/${language}`),
  );
  const roots = found.filter((root) => isLanguageRoot(site, root)).map(({ path }) => path);
  const content = await rootContent(tx, { roots, limit: MAX_MOVED + 1 });
  if (content.length > MAX_MOVED)
    throw new BadRequest(`There are more than ${MAX_MOVED} objects in the site root. Move them in parts with @move.`);
  const targets = new Map<string, { uid: string }[]>();
  for (const { uid, language } of content) {
    const own = `/${language ?? first}`;
    const target = roots.includes(own) ? own : `/${first}`;
    if (!roots.includes(target))
      throw new BadRequest(`There is no folder of the language "${first}" to move content to.`);
    targets.set(target, [...(targets.get(target) ?? []), { uid }]);
  }
  const moved: Awaited<ReturnType<typeof tree.move>> = [];
  for (const [target, sources] of targets)
    moved.push(...(await tree.move(kernel, { caller, target, sources, lockToken: undefined }, { tx })));
  return moved;
}

const Folders = Type.Object({
  created: Type.Array(Type.String({ format: 'uri' })),
  moved: Type.Array(Type.Object({ source: Type.String({ format: 'uri' }), target: Type.String({ format: 'uri' }) })),
});

/** POST `@language-folders`: makes the folders of the languages of the site. */
export const postLanguageFolders = defineService({
  name: '@language-folders',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  tag: 'translations',
  summary:
    'Makes the folders of the languages of a multilingual site that are missing, and moves what is in the site root into them if asked to.',
  body: Type.Object({
    move_content: Type.Boolean({
      description: 'Whether what lies in the site root goes into the folder of its language.',
      default: false,
    }),
  }),
  responses: {
    200: { description: 'The folders that were made, and what was moved.', schema: Folders },
    400: { description: 'The site is in one language, or there is too much to move at once.' },
  },
  async run({ kernel, caller, base, body }) {
    const { created, moved } = await kernel.db.transaction(async (tx) => {
      const site = await kernel.sites.within(tx);
      if (!isMultilingual(site))
        throw new BadRequest('The site is in one language. Switch on "multilingual" in the panel "language" first.');
      const within = { tx, caller, site };
      const paths = await makeLanguageFolders(kernel, within);
      return { created: paths, moved: body.move_content ? await moveRootContent(kernel, within) : [] };
    });
    return ok({
      created: created.map((path) => urlOf(base, path)),
      moved: moved.map(({ source, target }) => ({ source: urlOf(base, source), target: urlOf(base, target) })),
    });
  },
});
