import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Json } from '../support/site.ts';

/** A copy of a profile that a test makes new versions of. */
export type ProfileCopy = {
  /** For `profiles` of a test site. */
  profiles: ReadonlyMap<string, string>;
  read(path: string): Promise<Json>;
  write(path: string, data: Json): Promise<void>;
  /** Changes a file in place. */
  edit(path: string, change: (data: Json) => void): Promise<void>;
  removeFile(path: string): Promise<void>;
  /** Gives the profile another version. */
  release(version: string): Promise<void>;
  close(): Promise<void>;
};

/** Copies the profile `default` under the name `village`. */
export async function copyProfile(): Promise<ProfileCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-profile-'));
  const home = join(folder, 'village');
  await cp(new URL('../../profiles/default/', import.meta.url), home, { recursive: true });
  const read = async (path: string): Promise<Json> => JSON.parse(await readFile(join(home, path), 'utf8'));
  const write = async (path: string, data: Json) => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), typeof data === 'string' ? data : JSON.stringify(data));
  };
  const edit = async (path: string, change: (data: Json) => void) => {
    const data = await read(path);
    change(data);
    await write(path, data);
  };
  await rm(join(home, 'upgrades'), { recursive: true, force: true });
  await edit('metadata.json', (data) => Object.assign(data, { id: 'village', version: '1000' }));
  return {
    profiles: new Map([['village', home]]),
    read,
    write,
    edit,
    removeFile: (path) => rm(join(home, path)),
    release: (version) => edit('metadata.json', (data) => Object.assign(data, { version })),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
