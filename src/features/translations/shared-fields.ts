import {
  type Caller,
  type ContentEvents,
  type ContentObject,
  contentRows,
  type Field,
  fieldValues,
  findContents,
  type Kernel,
  type Site,
  type Transaction,
} from '#core';
import { groupMembers } from './statements.ts';

type Events = Pick<Kernel, 'events' | 'hooks' | 'fieldKinds'>;

/** Fields that translations never share, whatever the type defines. */
const OWN = new Set(['id', 'language']);

const isShared = ({ name, multilingual_options: options }: Field): boolean =>
  options?.language_independent === true && !OWN.has(name);

/** Cached because every change of content needs the names, and a site is immutable. */
const known = new WeakMap<Site, ReadonlySet<string>>();

/** The names of all fields of a site that translations share. */
function sharedNames(site: Site): ReadonlySet<string> {
  const names =
    known.get(site) ??
    new Set([...site.types.values()].flatMap(({ fields }) => fields.filter(isShared).map(({ name }) => name)));
  known.set(site, names);
  return names;
}

/** The stored values of the fields in `names` that an object shares with a translation of the type `type`. */
function sharedValues(
  { fieldKinds }: Events,
  site: Site,
  { object, type, names }: { object: ContentObject; type: string; names: Iterable<string> },
): Record<string, unknown> {
  const [from, to] = [site.types.get(object.type), site.types.get(type)];
  const stored = fieldValues.of(object);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [mine, other] = [from?.fieldByName.get(name), to?.fieldByName.get(name)];
      const fits = mine && other && isShared(mine) && fieldKinds.of(mine) === fieldKinds.of(other);
      return fits ? [[name, stored[name] ?? null]] : [];
    }),
  );
}

/**
 * Gives the translations of changed content the new values of the fields that they share (plone.app.multilingual,
 * LanguageIndependentFieldsManager). The permission to change one translation is enough for all, also for locked ones.
 */
export async function shareFields(
  kernel: Events,
  { oid, fields, site }: ContentEvents['content.modified'],
  { tx, caller }: { tx: Transaction; caller: Caller },
): Promise<void> {
  const names = fields.filter((name) => sharedNames(site).has(name));
  if (names.length === 0) return;
  const [source] = await findContents(tx, { oids: [oid] });
  const group = source?.object.translationGroup ?? null;
  if (!source || group === null) return;
  const members = (await groupMembers(tx, group)).filter((member) => member.oid !== oid);
  if (members.length === 0) return;
  const paths = members.map(({ path }) => path);
  await contentRows.lock(tx, paths, 'exclusive');
  for (const { object } of await findContents(tx, { oids: members.map((member) => member.oid) })) {
    const values = sharedValues(kernel, site, { object: source.object, type: object.type, names });
    await fieldValues.replace(kernel, tx, { site, object, caller, values });
  }
}

/** Gives a locked object the shared values of the content that it becomes a translation of. */
export async function takeShared(
  kernel: Events,
  tx: Transaction,
  { site, caller, from, to }: { site: Site; caller: Caller; from: ContentObject; to: ContentObject },
): Promise<void> {
  const values = sharedValues(kernel, site, { object: from, type: to.type, names: sharedNames(site) });
  await fieldValues.replace(kernel, tx, { site, object: to, caller, values });
}

/** Gives new content the shared values of its original, for its first version. */
export async function beginWithShared(
  kernel: Events,
  tx: Transaction,
  { site, from, oid }: { site: Site; from: ContentObject; oid: number },
): Promise<void> {
  const [created] = sharedNames(site).size === 0 ? [] : await findContents(tx, { oids: [oid] });
  if (!created) return;
  const { type, fields: present } = created.object;
  const { columns, fields } = fieldValues.split(
    sharedValues(kernel, site, { object: from, type, names: sharedNames(site) }),
  );
  await contentRows.update(tx, oid, { ...columns, fields: { ...present, ...fields } });
}
