import {
  type ExportedGroup,
  type ExportedPart,
  type ExportedRedirect,
  type ExportedTranslationGroup,
  type ExportedUser,
  type ExportSource,
  groupBy,
  loadAhead,
  nothing,
  once,
  type ReadOptions,
  stringOf,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';
import { type Entry, findEntries } from './entries.ts';
import { ANONYMOUS, type ItemContext, readItem, rolesOf } from './item.ts';
import { reportSetup } from './left-out.ts';
import { findProfiles, listed, type NickFolder } from './profiles.ts';
import { readTypes } from './types.ts';

type Site = ItemContext & { entries: readonly Entry[] };

/** The properties of a user that have a place of their own. */
const USER_FIELDS = new Set([
  ...['id', 'password', 'fullname', 'email', 'roles', 'groups', 'description', 'home_page', 'location'],
]);

/** The users of the profiles, without the one that Nick has for visitors. */
async function* usersOf(folder: NickFolder): AsyncGenerator<ExportedUser> {
  for (const user of await listed(folder, 'users.json', 'users')) {
    const username = stringOrNull(user.id);
    if (username === ANONYMOUS) continue;
    const path = `@users/${username ?? ''}`;
    if (username === null) folder.problems.add({ reason: 'principal', path, message: 'A user has no id.' });
    else {
      if (stringOrNull(user.password) !== null)
        folder.problems.add({
          reason: 'password',
          ...{ path, key: 'password' },
          message: `The password of ${username} is in the profile for everybody to read: it is not taken and has to be set anew.`,
        });
      yield {
        ...{ username, login: username, password: null, portrait: null },
        ...{ fullname: stringOf(user.fullname), email: stringOf(user.email), description: stringOf(user.description) },
        ...{ home_page: stringOf(user.home_page), location: stringOf(user.location) },
        others: Object.fromEntries(Object.entries(user).filter(([key]) => !USER_FIELDS.has(key))),
        roles: ['Member', ...rolesOf(user.roles)],
        groups: stringsOf(user.groups),
      };
    }
  }
}

async function* groupsOf(folder: NickFolder): AsyncGenerator<ExportedGroup> {
  for (const group of await listed(folder, 'groups.json', 'groups')) {
    const id = stringOrNull(group.id);
    if (id === null) folder.problems.add({ reason: 'principal', path: '@groups', message: 'A group has no id.' });
    else
      yield {
        ...{ id, title: stringOf(group.title), description: stringOf(group.description), email: stringOf(group.email) },
        ...{ roles: rolesOf(group.roles), groups: [], members: [] },
      };
  }
}

/** Old addresses of objects, which Nick keeps with the UUID of the object. */
async function* redirectsOf(site: Site): AsyncGenerator<ExportedRedirect> {
  const paths = new Map(site.entries.map(({ uid, path }) => [uid, path]));
  for (const redirect of await listed(site, 'redirects.json', 'redirects')) {
    const from = stringOrNull(redirect.path);
    const to = paths.get(stringOf(redirect.document)) ?? null;
    if (from !== null && to !== null) yield { from, to };
    else
      site.problems.add({
        reason: 'target',
        ...{ path: from ?? '/', key: 'redirects' },
        message: `The redirect from ${from ?? 'nowhere'} leads to the UUID ${stringOf(redirect.document)}, which is not in the profiles.`,
      });
  }
}

/** Objects that are translations of each other. A second one of a language is reported. */
function* translationsOf({ entries, problems }: Site): Generator<ExportedTranslationGroup> {
  const inLanguage = entries.filter(({ language, path }) => language !== null && path !== '/');
  for (const members of groupBy(inLanguage, ({ group }) => group).values()) {
    const group: Record<string, string> = {};
    for (const { language, uid, path, file } of members) {
      if (Object.hasOwn(group, language ?? ''))
        problems.add({
          reason: 'value',
          ...{ file, path, key: 'translation_group' },
          message: `Another translation has the language ${language}: it is no translation of the others.`,
        });
      else group[language ?? ''] = uid;
    }
    if (Object.keys(group).length > 1) yield group;
  }
}

/** Returns how addresses of the old site become paths. */
function pathMaker(siteRoot: string | undefined): (link: string) => string {
  const root = siteRoot?.replace(/\/+$/, '');
  if (root === undefined || root === '') return (link) => link;
  return (link) => (link === root ? '/' : link.startsWith(`${root}/`) ? link.slice(root.length) : link);
}

/** Opens a profile of Nick, a folder of profiles, or a folder of objects that it has exported. */
export async function openNick(
  place: string,
  { problems, siteRoot, options = {} }: ReadOptions,
): Promise<ExportSource> {
  const folder = await findProfiles(place, problems, options.profiles);
  const site = once(async (): Promise<Site> => {
    const types = await readTypes(folder);
    await reportSetup(folder);
    return { ...folder, types, toPath: pathMaker(siteRoot), entries: await findEntries(folder) };
  });
  const addresses = async () => (await site()).entries;
  return {
    format: 'Nick',
    parts: async () => partsOf(folder),
    async positions() {
      const positions = new Map((await addresses()).map(({ path, position }) => [path, position]));
      return ({ path }) => (folder.isLoose ? null : (positions.get(path) ?? null));
    },
    count: async () => (await addresses()).length,
    addresses,
    async *items(wanted = () => true) {
      const all = await site();
      for await (const item of loadAhead(all.entries.filter(wanted), (entry) => readItem(all, entry)))
        if (item) yield item;
    },
    async *types() {
      for (const { definition } of (await site()).types.values()) yield definition;
    },
    users: () => usersOf(folder),
    groups: () => groupsOf(folder),
    redirects: async function* () {
      yield* redirectsOf(await site());
    },
    translations: async function* () {
      if (!folder.isLoose) yield* translationsOf(await site());
    },
    relations: nothing,
    comments: nothing,
  };
}

/** The parts that the profiles have. What Nick has exported one by one is objects alone. */
async function partsOf({ files, profiles, isLoose }: NickFolder): Promise<Set<ExportedPart>> {
  const parts = new Set<ExportedPart>(isLoose ? [] : ['positions', 'localRoles', 'translations']);
  for (const { folder } of profiles) {
    if ((await files.has(`${folder}users.json`)) || (await files.has(`${folder}groups.json`))) parts.add('principals');
    if (await files.has(`${folder}redirects.json`)) parts.add('redirects');
  }
  return parts;
}
