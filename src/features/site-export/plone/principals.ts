import { createHash } from 'node:crypto';
import { isStoredFile, type StoredFile } from '#core';
import type { ExportRun } from '../export-run.ts';
import { OWN_PASSWORDS, PLONE_FILES } from '../format.ts';
import { groupRows, type MemberRow, memberRows } from '../statements/plone.ts';
import { diskName } from './file-name.ts';
import { jsonList, jsonObject, jsonOfStreams } from './json-stream.ts';

/** Bytes of a SHA-1 and of its salt in Plone's form of passwords. */
const SSHA_BYTES = 27;

/**
 * A password hash of Plone that no password matches: fixed bytes in place of a SHA-1 and its salt, the same in each export. Plone would take a hash
 * of an unknown form for the password itself.
 */
const noPassword = (id: string): string =>
  `{SSHA}${createHash('sha256').update(`no password of ${id}`).digest().subarray(0, SSHA_BYTES).toString('base64')}`;

async function* members({ tx }: ExportRun, onMember: (row: MemberRow) => void): AsyncGenerator<unknown> {
  for await (const member of memberRows(tx)) {
    onMember(member);
    const { id, login, properties, portrait, password: _, ...row } = member;
    yield {
      username: id,
      login_name: login,
      password: noPassword(id),
      ...row,
      description: '',
      home_page: '',
      location: '',
      ...properties,
      ...portraitJson(id, portrait),
    };
  }
}

/** The hashes of this server by the ids of users. They are not members of the users, because Plone logs the members that it skips. */
async function* passwords({ tx }: ExportRun): AsyncGenerator<readonly [string, string | null]> {
  for await (const { id, password } of memberRows(tx)) yield [id, password];
}

/** The place of a user's picture. The hash distinguishes ids that become the same file name. */
const portraitPlace = (id: string, { hash, filename }: StoredFile): string =>
  `portraits/${diskName(id)}-${hash.slice(0, 8)}/${diskName(filename)}`;

function portraitJson(id: string, portrait: MemberRow['portrait']): object {
  if (!isStoredFile(portrait)) return {};
  const { hash: _hash, ...described } = portrait;
  return { portrait: { blob_path: portraitPlace(id, portrait), ...described } };
}

/** Writes the pictures of users. */
async function writePortraits({ tx, files }: ExportRun): Promise<void> {
  for await (const { id, portrait } of memberRows(tx)) {
    if (isStoredFile(portrait))
      await files.write({ hash: portrait.hash, place: portraitPlace(id, portrait), of: `user ${id}` });
  }
}

async function* groups({ tx }: ExportRun): AsyncGenerator<unknown> {
  for await (const { id, ...row } of groupRows(tx)) yield { groupid: id, ...row };
}

/** Writes users with their pictures, and groups. Returns the number of users, and of users without an e-mail address. */
export async function writePrincipals(run: ExportRun): Promise<{ users: number; withoutEmail: number }> {
  await writePortraits(run);
  let users = 0;
  let withoutEmail = 0;
  const onMember = ({ email }: MemberRow) => {
    users += 1;
    if (email === '') withoutEmail += 1;
  };
  await run.target.write(
    PLONE_FILES.principals,
    jsonOfStreams({
      groups: jsonList(groups(run)),
      members: jsonList(members(run, onMember)),
      [OWN_PASSWORDS]: jsonObject(passwords(run)),
    }),
  );
  return { users, withoutEmail };
}
