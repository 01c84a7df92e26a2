import { Type } from 'typebox';
import {
  componentUrl,
  defineComponent,
  defineService,
  has,
  noContent,
  ok,
  panelSettings,
  panels,
  permissions,
  publishing,
  requests,
  schemas,
  speaksPlone,
  urlOf,
  VIEW,
} from '#core';
import { isMultilingual } from './language-roots.ts';
import { translationRows } from './statements.ts';
import { MANAGE_TRANSLATIONS } from './translation-group.ts';
import { linkTranslation, unlinkTranslation } from './translation-link.ts';
import { translationPlace } from './translation-place.ts';

/**
 * The translations of content, and the root of each language of the site: its language root, or the site root without one (plone.restapi §7,
 * `@translations`).
 */
export const translations = defineComponent({
  name: 'translations',
  schema: Type.Object({
    '@id': schemas.Address,
    items: Type.Array(Type.Object({ '@id': schemas.Address, language: Type.String() })),
    root: Type.Record(Type.String(), schemas.Address),
  }),
  isOffered: (site) => !speaksPlone(site) || isMultilingual(site),
  async expand(context, resolved) {
    const { site, base, caller } = context;
    const { oid, translationGroup } = resolved.object;
    const languages = panelSettings(site, panels.language).available_languages;
    const rows = await translationRows(context.db, {
      oid,
      group: translationGroup,
      roots: languages.map((language) => `/${language}`),
      ...publishing.viewersOf(site, caller),
      inactive: has(site, caller, resolved, permissions.ACCESS_INACTIVE),
    });
    const roots = new Set(
      rows
        .filter(({ isRoot, type }) => isRoot && site.types.get(type)?.behaviorNames.has('navigation_root'))
        .map(({ path }) => path),
    );
    const rootOf = (language: string) => urlOf(base, roots.has(`/${language}`) ? `/${language}` : '/');
    return {
      '@id': componentUrl(context, resolved, 'translations'),
      items: rows.flatMap((row) => (row.isRoot ? [] : [{ '@id': urlOf(base, row.path), language: row.language }])),
      root: Object.fromEntries(languages.map((language) => [language, rootOf(language)])),
    };
  },
});

/** GET `@translations`: the translations of content. */
export const getTranslations = defineService({
  name: '@translations',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The same content in other languages, and where each language begins.',
  responses: { 200: { description: 'The translations that the caller may view.', schema: translations.schema } },
  run: async (context) => ok(await translations.expand(context, context.resolved)),
});

/** POST `@translations`: links existing content. */
export const postTranslations = defineService({
  name: '@translations',
  method: 'POST',
  context: 'content',
  permission: MANAGE_TRANSLATIONS,
  summary: 'Links existing content as the translation of this one. Needs the right to do so on both sides.',
  headers: requests.LOCK_TOKEN,
  body: Type.Object(
    { id: Type.String({ minLength: 1, description: 'Path, address or UID of the other content.' }) },
    { additionalProperties: true, examples: [{ id: '/nl/evenementen' }] },
  ),
  responses: {
    204: { description: 'Linked.' },
    400: { description: 'There is no such content, or one of the two has another translation already.' },
  },
  async run(context) {
    const { kernel, caller, resolved, body } = context;
    await linkTranslation(kernel, {
      site: context.site,
      caller,
      path: resolved.object.path,
      reference: body.id,
      bases: requests.basesOf(context),
      lockToken: requests.headerOf(context, 'lock-token'),
    });
    return noContent();
  },
});

/** DELETE `@translations`: unlinks a translation. */
export const deleteTranslations = defineService({
  name: '@translations',
  method: 'DELETE',
  context: 'content',
  permission: MANAGE_TRANSLATIONS,
  summary: 'Unlinks the translation in a language; the content stays.',
  headers: requests.LOCK_TOKEN,
  body: Type.Object(
    { language: Type.String({ minLength: 1, description: 'Language of the translation.' }) },
    { additionalProperties: true, examples: [{ language: 'nl' }] },
  ),
  responses: {
    204: { description: 'Unlinked.' },
    400: { description: 'There is no translation in that language.' },
  },
  async run(context) {
    const { kernel, caller, resolved, body } = context;
    await unlinkTranslation(kernel, {
      caller,
      path: resolved.object.path,
      language: body.language,
      lockToken: requests.headerOf(context, 'lock-token'),
    });
    return noContent();
  },
});

/** GET `@translation-locator`: the container for a translation. */
export const getTranslationLocator = defineService({
  name: '@translation-locator',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The container that a translation into a language of the site belongs in.',
  tag: 'translations',
  query: Type.Object({ target_language: Type.String({ description: 'Language of the translation.' }) }),
  check: ({ site }, { query: { target_language: language } }) => {
    const available = panelSettings(site, panels.language).available_languages;
    if (language === undefined || available.includes(language)) return [];
    return [{ field: 'target_language', message: `must be one of the languages of the site: ${available.join(', ')}` }];
  },
  responses: {
    200: { description: 'The container.', schema: Type.Object({ '@id': Type.String({ format: 'uri' }) }) },
    400: { description: 'The language is missing, or none of the site.' },
  },
  async run({ db, site, caller, resolved, base, query: { target_language: language } }) {
    return ok({ '@id': urlOf(base, await translationPlace(db, { site, caller, resolved, language })) });
  },
});
