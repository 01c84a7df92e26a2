// All messages that need a translation: those of the profiles and add-ons, of what features declare, and of the source.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { sourceMessages } from './source-messages.mjs';

/** The parts of profiles that have titles; the others are content, settings and permissions. */
const PROFILE_PARTS = /^(?:types|behaviors|workflows|vocabularies)\/|^(?:metadata|roles|actions|catalog)\.json$/;

/** Keys of texts that people see. */
const SHOWN = new Set(['title', 'description', 'group']);

/** Vocabularies with the same terms on every site, whose titles are words. */
const VOCABULARIES = ['Fields', 'boolean', 'events'];

/** The texts that people see in a declaration, such as that of a type or of a panel. */
function textsIn(value, key) {
  if (typeof value === 'string') return SHOWN.has(key) && value !== '' ? [value] : [];
  if (Array.isArray(value))
    return key === 'choices' ? value.flatMap(choiceText) : value.flatMap((item) => textsIn(item, undefined));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, name));
}

/** The title of a choice. A title that equals the token is a name and not translated. */
const choiceText = ([token, title]) => (title === token ? [] : [title]);

function profileTexts(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.json') && PROFILE_PARTS.test(path.split(sep).join('/')))
        .flatMap((path) => textsIn(JSON.parse(readFileSync(join(folder, name, path), 'utf8')))),
    );
}

/** The choices of settings, except languages, whose names are not messages. */
const settingTexts = ({ property, choices }, site) => [
  ...textsIn(property),
  ...(choices && !String(property.factory).includes('List') ? choices(site, {}).flatMap(choiceText) : []),
];

function declaredTexts({ features, registries, site, queryFields, operators }) {
  const { panels, jobActions, vocabularies } = registries;
  return [
    ...panels
      .all()
      .flatMap(({ id, title, group, settings }) => [
        title,
        group,
        ...settings.flatMap((setting) => (id === 'language' ? textsIn(setting.property) : settingTexts(setting, site))),
      ]),
    ...textsIn(jobActions.all()),
    ...textsIn(features.flatMap(({ ruleConditions = [], ruleActions = [] }) => [...ruleConditions, ...ruleActions])),
    ...VOCABULARIES.flatMap((name) => textsIn(vocabularies.find(site, name).terms(site, 'en'))),
    ...textsIn(queryFields),
    ...textsIn(operators),
  ];
}

/**
 * The messages by their English texts, each with the files that contain it. `load` imports a module of `src` by its path
 * there, without an ending: of the compiled program, or of the source.
 */
export async function collectMessages(root, load) {
  const [{ createRegistries }, { FEATURES }, { loadProfile }, { buildSite }, { QUERY_FIELDS, OPERATORS }] =
    await Promise.all(
      [
        'app/create-kernel',
        'app/features',
        'core/configuration/profiles/profile',
        'core/configuration/site/build-site',
        'core/services/querystring-fields',
      ].map(load),
    );
  const registries = createRegistries(FEATURES);
  const site = buildSite('', loadProfile('default').rows, registries);
  const found = new Map();
  const add = (text, place) => found.set(text, new Set([...(found.get(text) ?? []), place]));
  for (const folder of ['profiles', 'addons']) for (const text of profileTexts(join(root, folder))) add(text, folder);
  const declared = declaredTexts({
    features: FEATURES,
    registries,
    site,
    queryFields: QUERY_FIELDS,
    operators: OPERATORS,
  });
  for (const text of declared) add(text, 'features');
  for (const [text, paths] of sourceMessages(root)) for (const path of paths) add(text, path);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
