import type { ExportRun } from '../export-run.ts';
import { PLONE_FILES, ROOT_FOLDER } from '../format.ts';
import {
  orderedRows,
  redirectRows,
  relationRows,
  type SideRow,
  sideRows,
  translationRows,
} from '../statements/plone.ts';
import { whole } from '../target/export-target.ts';
import { conversations } from './comments.ts';
import { ROOT_ADDRESS } from './item-json.ts';
import { jsonList, jsonObject, jsonOfStreams } from './json-stream.ts';
import { writePrincipals } from './principals.ts';

const { content, metadata, item } = PLONE_FILES;

const keyOf = ({ uid, path }: Pick<SideRow, 'uid' | 'path'>): string => (path === '/' ? ROOT_FOLDER : uid);

/** Members of an object with the existing values. */
async function* membersOf(
  rows: AsyncIterable<SideRow>,
  value: (row: SideRow) => unknown,
): AsyncGenerator<readonly [string, unknown]> {
  for await (const row of rows) {
    const one = value(row);
    if (one !== undefined) yield [keyOf(row), one];
  }
}

/** Numbers of losses of an import into Plone: passwords of `users`, users without an address, pending comments. */
export type PloneLacks = { users: number; withoutEmail: number; comments: number };

/** Local roles by the bare ids of users and groups. */
function localRoles({ localRoles: given, inherits }: SideRow): unknown {
  const roles: Record<string, string[]> = {};
  for (const [token, names] of Object.entries(given)) {
    const id = token.replace(/^(?:user|group):/, '');
    roles[id] = [...new Set([...(roles[id] ?? []), ...names])];
  }
  const isEmpty = Object.keys(roles).length === 0;
  if (isEmpty && inherits) return undefined;
  return { ...(isEmpty ? {} : { local_roles: roles }), ...(inherits ? {} : { block: 1 }) };
}

/** `__metadata__.json`: the data of objects that plone.exportimport stores outside of their files. */
async function writeMetadata({ tx, path, target }: ExportRun): Promise<void> {
  const each = (value: (row: SideRow) => unknown) => jsonObject(membersOf(sideRows(tx, path), value));
  async function* dataFiles() {
    for await (const row of sideRows(tx, path)) yield `${keyOf(row)}/${item}`;
  }
  async function* places(): AsyncGenerator<readonly [string, number]> {
    let [container, place] = [0, 0];
    for await (const { uid, parent } of orderedRows(tx, path)) {
      place = parent === container ? place + 1 : 0;
      container = parent;
      yield [uid, place];
    }
  }
  await target.write(
    `${content}/${metadata}`,
    jsonOfStreams({
      __version__: whole('"1.0.0"'),
      // Importers find the files of objects by the places in the objects.
      _blob_files_: whole('[]'),
      _data_files_: jsonList(dataFiles()),
      default_page: each(({ defaultPage, defaultPageUid }) =>
        defaultPage === null ? undefined : { default_page: defaultPage, default_page_uuid: defaultPageUid },
      ),
      local_permissions: each(({ localPermissions }) => localPermissions ?? undefined),
      local_roles: each(localRoles),
      ordering: jsonObject(places()),
    }),
  );
}

async function* translations({ tx, path }: ExportRun): AsyncGenerator<unknown> {
  for await (const { uids, languages } of translationRows(tx, path)) {
    const [canonical = ''] = uids;
    const others = uids.flatMap((uid, i): [string, string][] => (i === 0 ? [] : [[languages[i] ?? '', uid]]));
    yield { canonical, translations: Object.fromEntries(others) };
  }
}

async function* relations({ tx, path }: ExportRun): AsyncGenerator<unknown> {
  for await (const { from_uuid, to_uuid, relationship } of relationRows(tx, path))
    yield { from_uuid, to_uuid, relationship, from_attribute: relationship };
}

async function* redirects({ tx, path }: ExportRun): AsyncGenerator<readonly [string, unknown]> {
  const inDatabase = (address: string) =>
    address === '/' ? ROOT_ADDRESS : address.startsWith('/') ? `${ROOT_ADDRESS}${address}` : address;
  for await (const { path: from, target } of redirectRows(tx, path)) yield [inDatabase(from), inDatabase(target)];
}

/**
 * Writes the files of plone.exportimport beside the objects. Only an export of a whole site has users and groups. Returns the numbers of losses in
 * Plone.
 */
export async function writeSideFiles(run: ExportRun): Promise<PloneLacks> {
  const { target, path } = run;
  await writeMetadata(run);
  const users = path === '/' ? await writePrincipals(run) : { users: 0, withoutEmail: 0 };
  await target.write(PLONE_FILES.translations, jsonList(translations(run)));
  await target.write(PLONE_FILES.relations, jsonList(relations(run)));
  await target.write(PLONE_FILES.redirects, jsonObject(redirects(run)));
  let comments = 0;
  const onLeft = () => {
    comments += 1;
  };
  await target.write(PLONE_FILES.discussions, conversations(run, onLeft));
  return { ...users, comments };
}
