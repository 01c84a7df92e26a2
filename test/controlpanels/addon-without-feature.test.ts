import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSite } from '../../src/app/open-site.ts';
import { runCommand } from '../../src/app/run-command.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import type { FieldKind } from '../../src/core/types/field-kind.ts';
import { createLog } from '../../src/lib/process/process.ts';
import { typeFile } from './addon-files.ts';

const isbn: FieldKind = {
  factories: [{ name: 'ISBN', property: { type: 'string' } }],
  missing: null,
  indexes: ['field'],
  deserialize: (value) => value,
};

/** A feature whose type needs the kind of field that it brings, and a table of its own. */
const books = (folder: string) =>
  defineFeature({
    name: 'books',
    fieldKinds: [isbn],
    migrations: folder,
    profile: {
      title: 'Books',
      version: '1',
      autoInstall: true,
      types: [
        typeFile('Book', {
          fieldsets: [{ id: 'default', title: 'Default', fields: ['isbn'] }],
          properties: { isbn: { title: 'ISBN', type: 'string', factory: 'ISBN', index: 'field' } },
          required: [],
        }),
      ],
    },
  });

let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'canopy-books-'));
  await writeFile(join(folder, '0001_loan.sql'), 'create table loan (id integer);');
  environment = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: 'secret-admin', PORT: '0' };
  const { close } = await openSite(parseConfig(environment), createLog('silent'), {
    features: [books(folder)],
    create: true,
  });
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command on the site without the feature. */
async function canopy(...args: string[]) {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await runCommand(args, environment), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

it.each([['start'], ['upgrade'], ['reindex'], ['setup', 'export', 'out']])(
  'the command %s says in one line which feature an installed add-on lacks, and two ways out',
  async (...args) => {
    expect(await canopy(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'canopy: The add-on "books" is installed, but no feature of this name is there: the content type "Book" needs the kind of field "ISBN". Put the feature back into "features" of the configuration file, or remove the add-on with "canopy addons uninstall books".\n',
    });
  },
);

it('tables of a feature that is gone are not removed, because nothing says which they are', async () => {
  const { code, stderr } = await canopy('addons', 'uninstall', 'books', '--clean');
  expect([code, stderr]).toEqual([
    1,
    'canopy: Which tables are those of the feature "books" is known only while it is in "features" of the configuration file: put it back, clean up, and take it out then.\n',
  ]);
});

it('the command that the line names removes the add-on, and the site starts', async () => {
  const dry = await canopy('addons', 'uninstall', 'books', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('is uninstalled.') });
  expect((await canopy('upgrade', '--dry-run')).code).toBe(1);
  const done = await canopy('addons', 'uninstall', 'books');
  expect(done).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'The add-on "books" is uninstalled.\nTables that the feature "books" has made stay. Which they are is known while it is in "features" of the configuration file.\n',
  });
  expect(await canopy('upgrade', '--dry-run')).toMatchObject({ code: 0, stderr: '' });
});

it('an add-on that is not there, and another word than uninstall, are refused in one line', async () => {
  expect(await canopy('addons', 'uninstall', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^canopy: [^\n]+\n$/),
  });
  expect(await canopy('addons', 'install', 'books')).toMatchObject({
    code: 2,
    stderr:
      'canopy: Unknown command: addons install. Did you mean uninstall? There are: uninstall. See canopy addons --help.\n',
  });
});
