import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { fencedBlocks } from '../docs/fenced-blocks.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { adminClient, picture } from './client-site.ts';

/** An example, and the value that the page shows for it. */
const SHOWN = /^(.+); \/\/ → (.+)$/;
const IMPORT = /^import .*;$/gm;

/** A block as statements: each shown value becomes a comparison. */
const statements = (text: string): string =>
  text
    .replace(IMPORT, '')
    .split('\n')
    .map((line) => {
      const [, expression, value] = SHOWN.exec(line) ?? [];
      return expression === undefined ? line : `shown(${expression}, ${value}, ${JSON.stringify(line)});`;
    })
    .join('\n');

/** Blocks that need the types of a site: `test/client/client-types.ts` has the same. */
const needsTypes = (text: string): boolean => text.includes('<Site>');

/** Runs the blocks of a page as one program, each in a scope of its own after the one that makes the client. */
async function run(page: string, { url, password }: { url: string; password: string }): Promise<number> {
  const markdown = await readFile(packageFolder(page), 'utf8');
  const blocks = fencedBlocks(markdown).filter(({ language, text }) => language === 'ts' && !needsTypes(text));
  const imports = blocks.flatMap(({ text }) => text.match(IMPORT) ?? []);
  const [first = '', ...others] = blocks.map(({ text }) => statements(text));
  const program = [
    ...imports,
    'export async function run(shown) {',
    first,
    ...others.map((block) => `{${block}}`),
    '}',
  ];
  const source = program
    .join('\n')
    .replaceAll('https://example.org/++api++', `${url}/++api++`)
    .replaceAll('https://example.org', url)
    .replaceAll("'secret'", JSON.stringify(password));
  const folder = await mkdtemp(join(tmpdir(), 'canopy-examples-'));
  try {
    await writeFile(join(folder, 'examples.ts'), source);
    const client = packageFolder('packages/client/src/index.ts');
    const bundle = await rolldown({
      input: join(folder, 'examples.ts'),
      resolve: { alias: { '@canopy-server/client': client } },
    });
    await bundle.write({ file: join(folder, 'examples.mjs'), format: 'esm' });
    await bundle.close();
    const program: { run(shown: (actual: unknown, expected: unknown, line: string) => void): Promise<void> } =
      await import(pathToFileURL(join(folder, 'examples.mjs')).href);
    let compared = 0;
    await program.run((actual, expected, line) => {
      expect(actual, line).toEqual(expected);
      compared += 1;
    });
    return compared;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describeQuickestEngine('the examples of the client', (engine) => {
  const site = useTestSite(engine);

  it.each(['packages/client/README.md', 'docs/client.md'])(
    'the examples of %s have the values that it shows',
    async (page) => {
      const admin = await adminClient(site);
      await admin.at('/').create({ '@type': 'Folder', id: 'news', title: 'News' });
      const news = admin.at('/news');
      await news.create({ '@type': 'Page', id: 'today', title: 'Today', description: 'A sunny day' });
      await news.upload(await picture(900, 600), { filename: 'sun.png', contentType: 'image/png' });
      await news.child('sun.png').update({ title: 'Sun' });
      await news.create({ '@type': 'Page', id: 'yesterday', title: 'Yesterday' });
      for (const id of ['', 'today', 'yesterday']) await admin.at(`/news/${id}`).transition('publish');
      expect(await run(page, { url: site.url, password: site.admin.password })).toBeGreaterThan(7);
      await news.remove({ ifMatch: false });
    },
  );
});
