import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One step of the schema. `checksum` is the SHA-256 of the text, with line ends as `\n`. */
export type Migration = { id: number; name: string; checksum: string; sql: string };

const FILE_NAME = /^(\d{4})_([a-z0-9_]{1,60})\.sql$/;

/** Reads the files `NNNN_name.sql` of the folder, in their order. Throws when two have one number. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [, number, name] = FILE_NAME.exec(file) ?? [];
    if (number === undefined || name === undefined) continue;
    const id = Number(number);
    if (migrations.at(-1)?.id === id) throw new Error(`Two migrations have the number ${number} in ${folder}`);
    const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({ id, name, checksum: createHash('sha256').update(sql).digest('hex'), sql });
  }
  return migrations;
}
