import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@canopy-server/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typesFileFeature } from '../../src/features/types-file/index.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { runCommandOn } from '../support/run-canopy.ts';
import { useTestSite } from '../support/use-site.ts';

const COMPILER = packageFolder('node_modules/typescript/bin/tsc');
const [command] = typesFileFeature.commands ?? [];

/** A program that uses the types: what it may not do is marked, and the mark is an error where it may. */
const PROGRAM = `import { createClient } from '@canopy-server/client';
import type { Site } from './canopy-types.ts';

const canopy = createClient<Site>('https://example.org');
export async function use(): Promise<void> {
  const image = await canopy.get('/photo', { type: 'Image' });
  const width: number | undefined = image.image?.width;
  const page = await canopy.get('/page', { expand: ['breadcrumbs', 'navigation'] });
  const titles: string[] = page['@components'].breadcrumbs.items.map(({ title }) => title);
  if (page['@type'] === 'Link') {
    const remote: string | null = page.remoteUrl;
    console.log(remote);
    // @ts-expect-error a Link has no picture
    console.log(page.image);
  }
  for (const block of Object.values(('blocks' in page ? page.blocks : null) ?? {})) {
    if (canopy.isBlock(block, 'slate')) {
      const text: string | undefined = block.value?.[0]?.children?.[0]?.text;
      // @ts-expect-error rich text has no address
      const url: string | undefined = block.url;
      console.log(text, url);
    }
    if (canopy.isBlock(block, 'image')) console.log(block.alt?.length);
    // @ts-expect-error the site knows no such block
    if (canopy.isBlock(block, 'slaet')) console.log(block);
  }
  // @ts-expect-error there is no such type
  await canopy.get('/photo', { type: 'Imagee' });
  // @ts-expect-error there is no such component
  await canopy.get('/photo', { expand: ['breadcrumb'] });
  await canopy.at('/').create({ '@type': 'Link', title: 'A link', remoteUrl: 'https://example.org' });
  // @ts-expect-error a Link has no such field
  await canopy.at('/').create({ '@type': 'Link', title: 'A link', remote: 'https://example.org' });
  // @ts-expect-error a title is a text
  await canopy.at('/').create({ '@type': 'Link', title: 5 });
  await canopy.at('/a').update<'Link'>({ description: 'Short' });
  // @ts-expect-error a Link has an address
  await canopy.at('/a').update<'Link'>({ remoteUrl: null });
  // @ts-expect-error a Link has no picture
  await canopy.at('/a').update<'Link'>({ image: null });
  await canopy.search({ portal_type: ['Link', 'Image'], created: { min: new Date() } }, { sort: 'effective' }).first();
  // @ts-expect-error there is no such index
  canopy.search({ portaltype: 'Link' });
  // @ts-expect-error there is no such type
  canopy.search({ portal_type: 'Linkk' });
  console.log(width, titles);
}
`;
const CONFIG = {
  compilerOptions: {
    ...{ target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext', lib: ['ES2023'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowImportingTsExtensions: true },
    types: ['node'],
    typeRoots: [packageFolder('node_modules/@types')],
    paths: { '@canopy-server/client': [packageFolder('packages/client/src/index.ts')] },
  },
  files: ['program.ts'],
};

describeQuickestEngine('canopy types', (engine) => {
  describe.each(['default', 'plone'])('in the profile %s', (profile) => {
    const site = useTestSite(engine, () => ({ profile }));
    let folder = '';
    let output = '';

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'canopy-types-'));
      output = join(folder, 'canopy-types.ts');
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const write = (options: Record<string, string> = {}) =>
      runCommandOn(site.kernel, command, { options: { output, ...options } });

    it('The types of the site are written, and again only after a change.', async () => {
      expect((await write()).out).toContain(`Written: ${output}`);
      expect((await write()).out).toContain('is up to date');
      await writeFile(output, 'something else');
      expect((await write()).out).toContain('Written');
    });

    it('A program is compiled with the types, and its mistakes are found.', async () => {
      await write();
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await writeFile(join(folder, 'program.ts'), PROGRAM);
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
      const { status, stdout } = spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
      expect(status).toBe(0);
    });

    it('Few values are unknown: those of which the server takes any.', async () => {
      await write();
      const text = await readFile(output, 'utf8');
      expect(text.match(/\bunknown\b/g)?.length ?? 0).toBeLessThanOrEqual(50);
    });

    it('A running site gives the same types to users who are logged in, and says what visitors need.', async () => {
      await write();
      const own = await readFile(output, 'utf8');
      const client = createClient(site.url);
      await client.login(site.admin.login, site.admin.password);
      const tokenFile = join(folder, 'token.txt');
      await writeFile(tokenFile, `${client.token}\n`);
      const given = { url: `${site.url}/`, 'token-file': tokenFile };
      expect((await write(given)).out).toContain('is up to date');
      expect(await readFile(output, 'utf8')).toBe(own);
      await expect(write({ url: site.url })).rejects.toThrow('give --token-file with an access token');
      await expect(write({ 'token-file': tokenFile })).rejects.toThrow('--token-file needs --url');
      await expect(write({ ...given, 'token-file': join(folder, 'gone') })).rejects.toThrow('There is no file');
      await writeFile(tokenFile, 'wrong\n');
      await expect(write(given)).rejects.toThrow('does not accept the token');
      await writeFile(tokenFile, 'two words\n');
      await expect(write(given)).rejects.toThrow('is no access token');
      await expect(write({ url: 'example.org' })).rejects.toThrow('begins with http:// or https://');
      await expect(write({ url: 'http://127.0.0.1:1' })).rejects.toThrow('There is no site at http://127.0.0.1:1');
    });
  });
});
